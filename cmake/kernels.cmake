include(CheckCXXCompilerFlag)
include(cmake/add_kernel.cmake)

# The instruction sets: their names in simd/isa/arch.hpp and in THRONG_FORCE_ISA.
set(THRONG_ISAS default CACHE STRING "Instruction sets that kernels are compiled for: some of scalar, sse2, sse4.2, avx2, \
avx512, neon and wasm; default: all but scalar and sse2 that this kind of processor has; native: the best of this machine")

# Those that this kind of processor has, in ascending order of preference.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
    set(known_isas scalar sse2 sse4.2 avx2 avx512)
    set(known_archs Scalar Sse2 Sse42 Avx2 Avx512)
    set(throng_isas sse4.2 avx2 avx512)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set(known_isas scalar neon)
    set(known_archs Scalar Neon)
    set(throng_isas neon)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
    # A module is refused as a whole where its processor lacks one instruction, so all code has the same flags: those
    # of the toolchain file.
    set(known_isas scalar wasm)
    set(known_archs Scalar Wasm)
    set(throng_isas wasm)
else()
    set(known_isas scalar)
    set(known_archs Scalar)
    set(throng_isas scalar)
endif()
list(JOIN known_isas ", " names)
if(THRONG_ISAS STREQUAL "native")
    if("sse4.2" IN_LIST known_isas)
        if(CMAKE_CROSSCOMPILING)
            message(FATAL_ERROR "THRONG_ISAS=native asks this machine, which the library is not built for: name some of ${names}")
        endif()
        if(NOT THRONG_NATIVE_ISA)
            try_run(THRONG_NATIVE_RUNS THRONG_NATIVE_COMPILES ${PROJECT_BINARY_DIR}/native_isa ${PROJECT_SOURCE_DIR}/cmake/native_isa.cpp
                CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON RUN_OUTPUT_VARIABLE found)
            if(NOT THRONG_NATIVE_COMPILES OR NOT THRONG_NATIVE_RUNS EQUAL 0)
                message(FATAL_ERROR "THRONG_ISAS=native: cmake/native_isa.cpp did not run; name some of ${names}")
            endif()
            set(THRONG_NATIVE_ISA ${found} CACHE INTERNAL "the best instruction set of this machine")
        endif()
        set(throng_isas ${THRONG_NATIVE_ISA})
    endif()
elseif(NOT THRONG_ISAS STREQUAL "default")
    set(throng_isas ${THRONG_ISAS})
endif()

set(THRONG_ARCHS "")
set(unknown ${throng_isas})
foreach(isa arch IN ZIP_LISTS known_isas known_archs)
    if(isa IN_LIST throng_isas)
        list(APPEND THRONG_ARCHS ${arch})
        list(REMOVE_ITEM unknown ${isa})
        throng_flags_of(flags ${arch})
        if(flags)
            string(JOIN " " flags ${flags})
            check_cxx_compiler_flag("${flags}" THRONG_COMPILER_HAS_${arch})
            if(NOT THRONG_COMPILER_HAS_${arch})
                message(FATAL_ERROR "THRONG_ISAS: ${CMAKE_CXX_COMPILER} has no ${isa}; name others of ${names}")
            endif()
        endif()
    endif()
endforeach()
if(unknown OR NOT THRONG_ARCHS)
    message(FATAL_ERROR "THRONG_ISAS is \"${THRONG_ISAS}\": this kind of processor has ${names}; or say default, or native")
endif()
set_property(GLOBAL PROPERTY THRONG_ARCHS ${THRONG_ARCHS})
set_property(GLOBAL PROPERTY THRONG_CLANG ${THRONG_CLANG})

# throng_list_archs(<folder> <arch>...): the dispatcher's list, best first, as a header: with another list only the files
# are compiled again that include it.
function(throng_list_archs folder)
    list(REVERSE ARGN)
    list(JOIN ARGN ", " best_first)
    file(CONFIGURE OUTPUT ${folder}/compiled_archs.hpp @ONLY CONTENT
    "// Of simd/isa/arch.hpp, those that THRONG_ISAS names, best first.
#pragma once

namespace throng::simd {

using CompiledArchs = ArchList<@best_first@>;

} // namespace throng::simd
")
endfunction()
throng_list_archs(${PROJECT_BINARY_DIR}/archs ${THRONG_ARCHS})
target_include_directories(throng_flags INTERFACE $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/archs>)

# The name of each in demangled symbols.
set(THRONG_SYMBOL_Scalar throng::simd::Scalar)
set(THRONG_SYMBOL_Sse2 xsimd::sse2)
set(THRONG_SYMBOL_Sse42 xsimd::sse4_2)
set(THRONG_SYMBOL_Avx2 xsimd::avx2)
set(THRONG_SYMBOL_Avx512 xsimd::avx512bw)
set(THRONG_SYMBOL_Neon xsimd::neon64)
set(THRONG_SYMBOL_Wasm throng::simd::Wasm)

# throng_add_kernel_copy(<copy> <arch> <source>...): an object library for one instruction set.
function(throng_add_kernel_copy copy arch)
    add_library(${copy} OBJECT ${ARGN})
    target_link_libraries(${copy} PRIVATE throng_flags throng_xsimd)
    throng_compile_for(${copy} ${arch})
endfunction()

# throng_add_kernels(<target> <room>/<name>...): makes <target>_<arch> of simd/kernels/<room>/<name>.kernel.cpp for each
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
        -DARCH=${THRONG_SYMBOL_${arch}} -P ${PROJECT_SOURCE_DIR}/cmake/checks/check_kernel_symbols.cmake PARENT_SCOPE)
endfunction()
