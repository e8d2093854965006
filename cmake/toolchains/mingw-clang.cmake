# 64-bit Windows from clang 19 and its linker, which makes debug information for Windows' own debuggers, with the
# headers and libraries of Debian's MinGW.
include(${CMAKE_CURRENT_LIST_DIR}/mingw.cmake)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER_TARGET x86_64-w64-windows-gnu)
set(CMAKE_C_COMPILER_TARGET x86_64-w64-windows-gnu)
# Functions and lines, and no types.
set(CMAKE_CXX_FLAGS_INIT "-g1 -gcodeview")
# Threads of C++ are those of MinGW's pthreads; its own g++ links them by itself.
string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -fuse-ld=lld-19 -lpthread")
string(APPEND CMAKE_SHARED_LINKER_FLAGS_INIT " -fuse-ld=lld-19 -lpthread -Wl,--pdb=throng.pdb,-Xlink=-pdbaltpath:throng.pdb")
