# Targets for libFuzzer, which only clang has; fuzz.hpp says what a target is. It is guided by the coverage that
# THRONG_SANITIZE=fuzzer-no-link puts into the library.
if(NOT THRONG_SANITIZE MATCHES "fuzzer-no-link")
    message(FATAL_ERROR "THRONG_BUILD_FUZZERS needs fuzzer-no-link in THRONG_SANITIZE: see the preset fuzz")
endif()

add_library(throng_fuzz_common OBJECT fuzz/fuzz.cpp)
target_link_libraries(throng_fuzz_common PRIVATE throng_flags throng_test_support GTest::gtest)

# throng_add_fuzzer(<name>): the program throng_fuzz_<name>, of fuzz/<name>.cpp.
function(throng_add_fuzzer name)
    add_executable(throng_fuzz_${name} fuzz/${name}.cpp $<TARGET_OBJECTS:throng_fuzz_common>)
    if(name STREQUAL "batches") # the first
        target_precompile_headers(throng_fuzz_${name} PRIVATE <gtest/gtest.h>)
    else()
        target_precompile_headers(throng_fuzz_${name} REUSE_FROM throng_fuzz_batches)
    endif()
    target_link_options(throng_fuzz_${name} PRIVATE -fsanitize=fuzzer)
    target_link_libraries(throng_fuzz_${name} PRIVATE throng_flags throng_library_first throng_test_support throng_whole
        throng_xsimd GTest::gtest)
endfunction()

set(fuzz_targets batches bitset borders c_calls crowds edits frames frozen obstacles published ranks shapes)
foreach(target IN LISTS fuzz_targets)
    throng_add_fuzzer(${target})
    add_test(NAME fuzz.${target}
        COMMAND ${CMAKE_CURRENT_LIST_DIR}/run $<TARGET_FILE:throng_fuzz_${target}>
                ${CMAKE_CURRENT_LIST_DIR}/corpus/${target} ${PROJECT_BINARY_DIR}/fuzz/${target})
endforeach()
throng_add_fuzzer(planted)
add_test(NAME fuzz.planted
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/run --planted $<TARGET_FILE:throng_fuzz_planted>
            ${PROJECT_BINARY_DIR}/fuzz/planted)
add_custom_target(throng_fuzzers)
foreach(target IN LISTS fuzz_targets ITEMS planted)
    add_dependencies(throng_fuzzers throng_fuzz_${target})
    set_tests_properties(fuzz.${target} PROPERTIES TIMEOUT 100000)
endforeach()
