// Sets aside, until names_end.hpp, the macros of hosts with names that this library or the standard
// library uses too. The pair encloses all of a header that uses such a name. Without #pragma once,
// since each of these headers includes it; they may include each other.
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
