// A header of the host with the same name as one of the library: the two must not be confused.
#pragma once

inline constexpr int kHostRowGrid = 1;
