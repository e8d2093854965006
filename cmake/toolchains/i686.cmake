# 32-bit x86 from Debian's cross compiler. It stands for all processors with 32-bit addresses, WebAssembly too: kernels
# are the scalar ones.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(CMAKE_CXX_COMPILER i686-linux-gnu-g++)
set(CMAKE_C_COMPILER i686-linux-gnu-gcc)
# Most 64-bit systems run the tests as they are, but not all: the loader, which comes with the compiler, is asked.
execute_process(
    COMMAND /usr/i686-linux-gnu/lib/ld-linux.so.2 --version
    RESULT_VARIABLE refused
    OUTPUT_QUIET ERROR_QUIET
)
if(refused)
    set(CMAKE_CROSSCOMPILING_EMULATOR qemu-i386)
endif()
set(CMAKE_FIND_ROOT_PATH /usr/i686-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# Floats are those of SSE2: the old unit rounds to 80 bits, and no answer would be the same to the bit.
set(CMAKE_CXX_FLAGS_INIT "-msse2 -mfpmath=sse")
set(CMAKE_C_FLAGS_INIT "-msse2 -mfpmath=sse")
# Programs run without the libraries of 32-bit systems.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
