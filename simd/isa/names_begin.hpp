// Hides macros of host programs that have names of this library or of the standard library, until
// names_end.hpp restores them. A header that uses such a name includes this file first and
// names_end.hpp last; such headers may include each other. No #pragma once: each includes it again.
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
