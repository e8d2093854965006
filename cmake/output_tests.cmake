# throng_add_output_test(<name> <regular expression> COMMAND <command>... [CODE <exit code>] [SKIPPABLE]): a test that
# passes if the command prints that and ends with the code, 0 unless another is given. SKIPPABLE: it may end with 77,
# which means that it lacks something. A target as the command is its program, run as tests are.
function(throng_add_output_test name expected)
    cmake_parse_arguments(PARSE_ARGV 2 its "SKIPPABLE" "CODE" "COMMAND")
    if("${its_CODE}" STREQUAL "")
        set(its_CODE 0)
    endif()
    list(GET its_COMMAND 0 program)
    if(TARGET ${program})
        list(POP_FRONT its_COMMAND)
        list(PREPEND its_COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${program}>)
    endif()
    add_test(NAME ${name}
        COMMAND ${CMAKE_COMMAND} "-DEXPECTED=${expected}" -DCODE=${its_CODE}
            -P ${PROJECT_SOURCE_DIR}/cmake/checks/check_output.cmake -- ${its_COMMAND})
    if(its_SKIPPABLE)
        set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "ended with 77: ")
    endif()
endfunction()

# throng_lacks(<name> <what>): in place of a test that cannot be built, one that is skipped because this machine lacks that.
# Passes by its output alone, and so is skipped.
function(throng_lacks name what)
    add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E echo "lacks ${what}")
    set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "lacks ")
endfunction()
