# No test passes by what it prints alone: CTest's PASS_REGULAR_EXPRESSION takes any exit code.
#
#   cmake -DBUILD=<build folder> -P check_outputs.cmake
cmake_minimum_required(VERSION 3.22)

execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${BUILD} --show-only=json-v1
    OUTPUT_VARIABLE tests COMMAND_ERROR_IS_FATAL ANY)
if(NOT tests MATCHES "\"name\" : \"outputs\"")
    message(FATAL_ERROR "ctest does not show the tests of ${BUILD}")
endif()
if(tests MATCHES "\"PASS_REGULAR_EXPRESSION\"")
    message(FATAL_ERROR "a test has PASS_REGULAR_EXPRESSION, and so would pass where its program fails: "
        "throng_add_output_test() looks at both. ctest --show-only=json-v1 shows which test it is")
endif()
