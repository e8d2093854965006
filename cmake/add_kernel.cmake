# Kernels that are compiled once for each instruction set, the library's and those of hosts. Installed with the package.
# Functions know no variables of the folder that they come from, so what they need is in global properties:
# THRONG_ARCHS, the sets in ascending order of preference, and THRONG_CLANG, what clang-cl wants before an option.

# throng_flags_of(<variable> <arch>): nothing else in the project is compiled with an -m flag.
function(throng_flags_of out arch)
    set(Sse42 -msse4.2 -mpopcnt)
    # No -mfma: a fused product and sum rounds once where SSE2 rounds twice.
    set(Avx2 -mavx2 -mbmi -mbmi2 -mpopcnt)
    set(Avx512 -mavx512f -mavx512cd -mavx512dq -mavx512bw -mavx512vl -mbmi -mbmi2 -mpopcnt)
    set(${out} ${${arch}} PARENT_SCOPE)
endfunction()

# throng_compile_for(<copy> <arch>): a target whose files are for one instruction set, THRONG_KERNEL_ARCH.
function(throng_compile_for copy arch)
    throng_flags_of(flags ${arch})
    get_property(clang GLOBAL PROPERTY THRONG_CLANG)
    target_compile_definitions(${copy} PRIVATE THRONG_KERNEL_ARCH=::throng::simd::${arch})
    target_compile_options(${copy} PRIVATE ${flags}
        # Optimised even in Debug: an -O0 kernel is tens of times slower, and so would tests be.
        $<$<CONFIG:Debug>:${clang}-O2>
        # And where a host names no configuration at all.
        $<$<OR:$<CONFIG:Release>,$<NOT:$<BOOL:$<CONFIG>>>>:${clang}-O3>
        # g++ keeps wide registers on a stack that is aligned for narrow ones there, and its own
        # instructions would demand more.
        $<$<AND:$<BOOL:${MINGW}>,$<CXX_COMPILER_ID:GNU>>:-Wa,-muse-unaligned-vector-move>
        # Link-time optimisation would inline wide instructions into code that runs everywhere.
        -fno-lto
        # Some distributions define it for all code; std::array's operators, checked, are then big
        # enough to stay out of line, under a name that all copies share.
        -U_GLIBCXX_ASSERTIONS)
    set_target_properties(${copy} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
    # An interface library, since its options come after the -Wall of libraries that were linked before it.
    if(NOT TARGET throng_kernel_warnings)
        add_library(throng_kernel_warnings INTERFACE)
        target_compile_options(throng_kernel_warnings INTERFACE
            # GCC 12 takes the deliberately undefined registers of its own AVX-512 header for mistakes.
            $<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized> $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
            # Masks are combined with &, also where there is one lane and the mask is a bool.
            $<$<CXX_COMPILER_ID:Clang>:-Wno-bitwise-instead-of-logical>)
    endif()
    target_link_libraries(${copy} PRIVATE throng_kernel_warnings)
endfunction()

# throng_add_kernel(<target> <source>...): compiles these files of a host once for each instruction set that the library
# is compiled for, with the include folders and definitions of the target but not its options, and links them into it.
# throng/fused/on_active_isa.hpp chooses there. docs/fused.md shows such a file.
function(throng_add_kernel target)
    if(NOT TARGET ${target} OR NOT ARGN)
        message(FATAL_ERROR "throng_add_kernel(<target> <source>...): a target that is there, and its files with kernels")
    endif()
    if(NOT TARGET throng::fused)
        message(FATAL_ERROR "throng_add_kernel(${target}) needs throng::fused: find_package(throng COMPONENTS fused) in this folder "
            "or above, where xsimd is found")
    endif()
    get_property(archs GLOBAL PROPERTY THRONG_ARCHS)
    get_property(clang GLOBAL PROPERTY THRONG_CLANG)
    # More files may be added to a target by another call, from another folder too.
    string(MD5 files "${CMAKE_CURRENT_SOURCE_DIR};${ARGN}")
    string(SUBSTRING ${files} 0 8 files)
    foreach(arch IN LISTS archs)
        set(copy ${target}_${files}_${arch})
        add_library(${copy} OBJECT ${ARGN})
        target_include_directories(${copy} PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
        target_compile_definitions(${copy} PRIVATE $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
        target_compile_options(${copy} PRIVATE ${clang}-fno-fast-math # a host may have it for all its files
            $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>) # or a plug-in would never be unloaded
        throng_compile_for(${copy} ${arch})
        target_link_libraries(${copy} PRIVATE throng::fused)
        set_target_properties(${copy} PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF)
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${copy}>)
    endforeach()
    get_target_property(known ${target} COMPILE_DEFINITIONS)
    if(NOT known MATCHES THRONG_KERNEL_ARCHS)
        list(REVERSE archs)
        list(TRANSFORM archs PREPEND ::throng::simd::)
        list(JOIN archs "," best_first)
        target_compile_definitions(${target} PRIVATE THRONG_KERNEL_ARCHS=${best_first})
        target_link_libraries(${target} PRIVATE throng::fused)
    endif()
endfunction()
