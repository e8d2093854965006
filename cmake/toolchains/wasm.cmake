# WebAssembly from Debian's clang, with vectors of 128 bits and exceptions; no operating system but what WASI's C
# library expects of one. C++'s library is what `scripts/libcxx wasm` builds.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR /usr/bin/llvm-ar-19)
set(CMAKE_RANLIB /usr/bin/llvm-ranlib-19)
set(CMAKE_NM /usr/bin/llvm-nm-19)
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
set(CMAKE_CROSSCOMPILING_EMULATOR node)
get_filename_component(library ${CMAKE_CURRENT_LIST_DIR}/../../build/libcxx-wasm ABSOLUTE)
set(CMAKE_C_FLAGS_INIT -msimd128)
set(CMAKE_CXX_FLAGS_INIT "-msimd128 -fwasm-exceptions -nostdinc++ -isystem ${library}/include/c++/v1")
# The stack before all data: one that is too deep traps instead of writing into what is there.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-fwasm-exceptions -nostdlib++ -L${library}/lib -Wl,-z,stack-size=1048576,--stack-first")
set(CMAKE_CXX_STANDARD_LIBRARIES "-lc++ -lunwind")
