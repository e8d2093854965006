// The host's own header of this name: it and the library's must not get in each other's way.
#pragma once

inline constexpr int kHostRowGrid = 1;
