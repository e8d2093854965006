# What only those who work on the library itself choose; a host that adds it as a subdirectory sees
# none of it.
option(THRONG_BUILD_TESTS "Build the tests" ON)
option(THRONG_BUILD_BENCH "Build the benchmarks" OFF)
option(THRONG_BUILD_DEMO "Build the demo" ON)
option(THRONG_BUILD_PYTHON "Build the extension module of Python's package throng" OFF)
option(THRONG_BUILD_FUZZERS "Build the fuzz targets, with the tests: needs clang" OFF)
option(THRONG_WERROR "Treat warnings as errors" OFF)
set(THRONG_SANITIZE "" CACHE STRING "For -fsanitize=, such as address,undefined")
set(THRONG_TEST_ISAS "all" CACHE STRING
    "Instruction sets to test: all, native (the best of this machine), or a list such as scalar;avx2")
set(THRONG_IDLE_ARCHS "" CACHE STRING
    "Of simd/isa/arch.hpp, those whose kernels are compiled fast and badly because nobody runs them")
option(THRONG_TEST_SOURCES
    "Test what holds in every configuration: layers, headers, README, installation" ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(throng_developer_flags INTERFACE)
target_compile_options(throng_developer_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow
    $<$<BOOL:${THRONG_WERROR}>:-Werror>)
if(THRONG_SANITIZE)
    target_compile_options(throng_developer_flags INTERFACE
        -fsanitize=${THRONG_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
        # Scopes are clang's part: with them g++ takes ten times as long for a kernel, minutes.
        $<$<CXX_COMPILER_ID:GNU>:-fno-sanitize-address-use-after-scope>)
    # With g++ the room that a vector has not filled is out of bounds too.
    target_compile_definitions(throng_developer_flags INTERFACE _GLIBCXX_ASSERTIONS
        $<$<CXX_COMPILER_ID:GNU>:_GLIBCXX_SANITIZE_VECTOR>)
    target_link_options(throng_developer_flags INTERFACE -fsanitize=${THRONG_SANITIZE})
    if(THRONG_SANITIZE MATCHES "memory")
        # Its part for C++ has an operator new that nobody can replace, as tests have to; it sees what
        # malloc() returns without that part, too.
        execute_process(OUTPUT_VARIABLE runtime OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND
            ${CMAKE_CXX_COMPILER} -print-file-name=libclang_rt.msan-${CMAKE_SYSTEM_PROCESSOR}.a)
        set(is_program $<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>)
        target_link_options(throng_developer_flags INTERFACE -fno-sanitize-link-runtime
            $<${is_program}:LINKER:--whole-archive,${runtime},--no-whole-archive,--export-dynamic>)
    endif()
endif()

# The thread sanitizer cannot see how oneTBB, built without it, orders things; with TBB's inline code
# instrumented it reports hundreds of races in correct programs. So the files that use TBB go without
# it too, and tests tell it what their loops promise: tests/support/annotated_executor.hpp. Optimised,
# so that what they share with other files is inlined: of two copies the linker keeps one, and if it
# were theirs, races there would go unseen. The test threads.uninstrumented checks both.
function(throng_hide_tbb_from_thread_sanitizer)
    if(THRONG_SANITIZE MATCHES "thread")
        set_source_files_properties(${ARGN} PROPERTIES
            COMPILE_OPTIONS "-fno-sanitize=thread;-O2")
    endif()
endfunction()
throng_hide_tbb_from_thread_sanitizer(parallel/executors/tbb_executor.cpp)
