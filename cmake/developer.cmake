# Options for work on the library itself; a host that adds it as a subdirectory does not see them.
option(THRONG_BUILD_TESTS "Build the tests" ON)
option(THRONG_BUILD_BENCH "Build the benchmarks" OFF)
option(THRONG_BUILD_DEMO "Build the demo" ON)
option(THRONG_BUILD_PYTHON "Build the extension module of Python's package throng" OFF)
option(THRONG_BUILD_FUZZERS "Build the fuzz targets, with the tests: needs clang" OFF)
option(THRONG_WERROR "Treat warnings as errors" OFF)
set(THRONG_SANITIZE "" CACHE STRING "For -fsanitize=, such as address,undefined")
set(THRONG_TEST_ISAS "all" CACHE STRING
    "Instruction sets to test: all, native (the best of this machine), or a list such as scalar;avx2")
option(THRONG_TEST_SOURCES
    "Test what holds in every configuration: layers, headers, README, installation" ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(throng_developer_flags INTERFACE)
target_compile_options(throng_developer_flags INTERFACE
    ${throng_warnings} -Wpedantic -Wshadow
    # Where addresses have 32 bits, each offset of 64 bits that is used as one would be a warning.
    $<$<EQUAL:${CMAKE_SIZEOF_VOID_P},8>:-Wconversion>
    $<$<BOOL:${THRONG_WERROR}>:-Werror>)
if(THRONG_SANITIZE)
    target_compile_options(throng_developer_flags INTERFACE
        -fsanitize=${THRONG_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
        # clang checks scopes: with that, g++ takes ten times as long for a kernel, which is minutes.
        $<$<CXX_COMPILER_ID:GNU>:-fno-sanitize-address-use-after-scope>)
    # With g++, a vector's memory beyond its size is out of bounds too.
    target_compile_definitions(throng_developer_flags INTERFACE _GLIBCXX_ASSERTIONS
        $<$<CXX_COMPILER_ID:GNU>:_GLIBCXX_SANITIZE_VECTOR>)
    target_link_options(throng_developer_flags INTERFACE -fsanitize=${THRONG_SANITIZE})
    if(THRONG_SANITIZE MATCHES "memory")
        # The C++ part of its runtime defines an operator new that tests could not replace. The rest sees
        # all that malloc() returns.
        execute_process(OUTPUT_VARIABLE runtime OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND
            ${CMAKE_CXX_COMPILER} -print-file-name=libclang_rt.msan-${CMAKE_SYSTEM_PROCESSOR}.a)
        set(is_program $<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>)
        target_link_options(throng_developer_flags INTERFACE -fno-sanitize-link-runtime
            $<${is_program}:LINKER:--whole-archive,${runtime},--no-whole-archive,--export-dynamic>)
    endif()
endif()

# oneTBB is built without the thread sanitizer, which cannot see how it orders its threads: with TBB's inline
# code instrumented it reports hundreds of races in correct programs. So files that use TBB go without the
# sanitizer too, and tests tell it what their loops promise: tests/support/threads/annotated_executor.hpp. These files
# are optimised, so that functions that they share with others are inlined. Otherwise the linker might keep
# their copy for all, and races there would go unseen. The test threads.uninstrumented checks both.
function(throng_hide_tbb_from_thread_sanitizer)
    if(THRONG_SANITIZE MATCHES "thread")
        set_source_files_properties(${ARGN} PROPERTIES
            COMPILE_OPTIONS "-fno-sanitize=thread;-O2")
    endif()
endfunction()
throng_hide_tbb_from_thread_sanitizer(parallel/executors/tbb_executor.cpp)
