// Macros of hosts whose names are also the library's, or the standard library's, are put aside
// until names_end.hpp: around all of a header that has such a name. Without #pragma once, since
// each of these headers includes it; they may include each other.
#pragma push_macro("min") // windows.h
#pragma push_macro("max")
#pragma push_macro("small") // rpcndr.h of Windows
#pragma push_macro("near")
#pragma push_macro("far")
#pragma push_macro("Status") // X11
#pragma push_macro("Convex")
#pragma push_macro("slots") // Qt
#pragma push_macro("check") // Unreal, macOS
#undef min
#undef max
#undef small
#undef near
#undef far
#undef Status
#undef Convex
#undef slots
#undef check
