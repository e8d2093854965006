# Runs a program, and fails unless it prints what it should and ends as it should. CTest's PASS_REGULAR_EXPRESSION looks
# at the output alone, and takes any exit code.
#
#   cmake "-DEXPECTED=<regular expression>" [-DCODE=<exit code>] -P check_output.cmake -- <command>...
#
# The expression is for all that the program prints, errors too, without carriage returns. A program that ends with 77
# has said what it lacks.
cmake_minimum_required(VERSION 3.22)

if(NOT DEFINED CODE)
    set(CODE 0)
endif()
set(command "")
set(is_command FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
    if(is_command)
        list(APPEND command "${CMAKE_ARGV${i}}")
    elseif("${CMAKE_ARGV${i}}" STREQUAL "--")
        set(is_command TRUE)
    endif()
endforeach()
if(NOT command OR NOT EXPECTED)
    message(FATAL_ERROR "cmake -DEXPECTED=<regular expression> -P check_output.cmake -- <command>...")
endif()

execute_process(COMMAND ${command} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE code)
string(REPLACE "\r" "" output "${output}")
message(NOTICE "${output}")
if(code STREQUAL "77")
    message(FATAL_ERROR "ended with 77: ${output}")
endif()
if(NOT code STREQUAL CODE)
    message(FATAL_ERROR "ended with: ${code}\nand should: ${CODE}")
endif()
if(NOT output MATCHES "${EXPECTED}")
    message(FATAL_ERROR "printed what is above, and should print: ${EXPECTED}")
endif()
