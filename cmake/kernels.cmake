# The instruction sets: their names in simd/isa/arch.hpp and in THRONG_FORCE_ISA, and their flags. Nothing else
# in the project is compiled with an -m flag.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
    option(THRONG_SSE2 "Kernels for processors without SSE4.2, made before 2009, which else run scalar ones" OFF)
    set(THRONG_ARCHS Scalar Sse42 Avx2 Avx512)
    set(THRONG_ISAS scalar sse4.2 avx2 avx512)
    if(THRONG_SSE2)
        list(INSERT THRONG_ARCHS 1 Sse2)
        list(INSERT THRONG_ISAS 1 sse2)
        # Tells the dispatcher that these copies exist.
        target_compile_definitions(throng_flags INTERFACE THRONG_KERNELS_SSE2)
    endif()
    set(THRONG_FLAGS_Sse42 -msse4.2 -mpopcnt)
    # No -mfma: a fused product and sum rounds once where SSE2 rounds twice.
    set(THRONG_FLAGS_Avx2 -mavx2 -mbmi -mbmi2 -mpopcnt)
    set(THRONG_FLAGS_Avx512 -mavx512f -mavx512cd -mavx512dq -mavx512bw -mavx512vl
        -mbmi -mbmi2 -mpopcnt)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set(THRONG_ARCHS Scalar Neon)
    set(THRONG_ISAS scalar neon)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
    # A module is refused as a whole where its processor lacks one instruction, so all code has the same flags: those
    # of the toolchain file.
    set(THRONG_ARCHS Scalar Wasm)
    set(THRONG_ISAS scalar wasm)
else()
    set(THRONG_ARCHS Scalar)
    set(THRONG_ISAS scalar)
endif()

# The name of each in demangled symbols.
set(THRONG_SYMBOL_Scalar throng::simd::Scalar)
set(THRONG_SYMBOL_Sse2 xsimd::sse2)
set(THRONG_SYMBOL_Sse42 xsimd::sse4_2)
set(THRONG_SYMBOL_Avx2 xsimd::avx2)
set(THRONG_SYMBOL_Avx512 xsimd::avx512bw)
set(THRONG_SYMBOL_Neon xsimd::neon64)
set(THRONG_SYMBOL_Wasm throng::simd::Wasm)

# After throng_flags, since -Wall turns them on.
add_library(throng_kernel_flags INTERFACE)
target_compile_options(throng_kernel_flags INTERFACE
    # GCC 12 takes the deliberately undefined registers of its own AVX-512 header for mistakes.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized> $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
    # Masks are combined with &, also where there is one lane and the mask is a bool.
    $<$<CXX_COMPILER_ID:Clang>:-Wno-bitwise-instead-of-logical>)

# For copies that are never run: sanitizers, counters and optimisation would only take time.
# Without any optimisation g++'s AVX-512 functions are macros with casts in them, which refuse xsimd's types.
add_library(throng_idle_kernel_flags INTERFACE)
target_compile_options(throng_idle_kernel_flags INTERFACE ${THRONG_CLANG}$<IF:$<CXX_COMPILER_ID:GNU>,-O1,-O0> -fno-sanitize=all
    $<$<CXX_COMPILER_ID:Clang>:-fno-profile-instr-generate>
    $<$<CXX_COMPILER_ID:Clang>:-fno-coverage-mapping>)

# throng_add_kernel_copy(<copy> <arch> <source>...): an object library for one instruction set.
function(throng_add_kernel_copy copy arch)
    add_library(${copy} OBJECT ${ARGN})
    target_compile_definitions(${copy} PRIVATE THRONG_KERNEL_ARCH=::throng::simd::${arch})
    target_compile_options(${copy} PRIVATE ${THRONG_FLAGS_${arch}}
        # Optimised even in Debug: an -O0 kernel is tens of times slower, and so would tests be.
        $<$<CONFIG:Debug>:${THRONG_CLANG}-O2>
        # And where a host names no configuration at all.
        $<$<OR:$<CONFIG:Release>,$<NOT:$<BOOL:$<CONFIG>>>>:${THRONG_CLANG}-O3>
        # g++ keeps wide registers on a stack that is aligned for narrow ones there, and its own
        # instructions would demand more.
        $<$<AND:$<BOOL:${MINGW}>,$<CXX_COMPILER_ID:GNU>>:-Wa,-muse-unaligned-vector-move>
        # Link-time optimisation would inline wide instructions into code that runs everywhere.
        -fno-lto
        # Some distributions define it for all code; std::array's operators, checked, are then big
        # enough to stay out of line, under a name that all copies share.
        -U_GLIBCXX_ASSERTIONS)
    set_target_properties(${copy} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
    target_link_libraries(${copy} PRIVATE throng_flags throng_kernel_flags throng_xsimd)
    if(arch IN_LIST THRONG_IDLE_ARCHS)
        target_link_libraries(${copy} PRIVATE throng_idle_kernel_flags)
    endif()
endfunction()

# throng_add_kernels(<target> <name>...): makes <target>_<arch> of simd/kernels/<name>.kernel.cpp for each
# instruction set; THRONG_KERNEL_OBJECTS are their objects. Reading xsimd takes as long as compiling a small
# kernel, so it is precompiled for each copy.
function(throng_add_kernels target)
    list(TRANSFORM ARGN PREPEND simd/kernels/ OUTPUT_VARIABLE kernels)
    list(TRANSFORM kernels APPEND .kernel.cpp)
    set(objects "")
    foreach(arch IN LISTS THRONG_ARCHS)
        set(copy ${target}_${arch})
        throng_add_kernel_copy(${copy} ${arch} ${kernels})
        target_precompile_headers(${copy} PRIVATE ${PROJECT_SOURCE_DIR}/simd/isa/lanes.hpp)
        list(APPEND objects $<TARGET_OBJECTS:${copy}>)
    endforeach()
    set(THRONG_KERNEL_OBJECTS ${objects} PARENT_SCOPE)
endfunction()

# throng_add_symbol_test(<test> <copy> <arch>): no symbol of the copy's objects may be one that the linker could
# merge with a symbol of another copy, or of ordinary code.
function(throng_add_symbol_test test copy arch)
    throng_symbol_check(check ${copy} ${arch})
    add_test(NAME ${test} COMMAND ${check})
endfunction()
# The command of such a test.
function(throng_symbol_check out copy arch)
    set(${out} ${CMAKE_COMMAND} -DNM=${CMAKE_NM} "-DOBJECTS=$<JOIN:$<TARGET_OBJECTS:${copy}>,$<COMMA>>"
        -DARCH=${THRONG_SYMBOL_${arch}} -P ${PROJECT_SOURCE_DIR}/cmake/check_kernel_symbols.cmake PARENT_SCOPE)
endfunction()
