# Shows that check_output.cmake notices: another line, another exit code, a crash behind the line.
cmake_minimum_required(VERSION 3.22)
file(MAKE_DIRECTORY ${SCRATCH})

# A program that prints a line and then fails, as one does that a sanitizer ends.
set(failing ${SCRATCH}/prints_and_fails.cmake)
file(WRITE ${failing} "execute_process(COMMAND \${CMAKE_COMMAND} -E echo \"all is well\")\nmessage(FATAL_ERROR \"ah\")\n")
set(fails ${CMAKE_COMMAND} -P ${failing})
set(prints ${CMAKE_COMMAND} -E echo "all is well")

# expect(<passes|fails> <in its output> <expected code> <expected output> <command>...)
function(expect outcome words code expected)
    execute_process(
        COMMAND ${CMAKE_COMMAND} "-DEXPECTED=${expected}" -DCODE=${code}
            -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/check_output.cmake -- ${ARGN}
        OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE result)
    if(result EQUAL 0)
        set(came passes)
    else()
        set(came fails)
    endif()
    if(NOT came STREQUAL outcome OR NOT said MATCHES "${words}")
        message(SEND_ERROR "${ARGN}, expected to end with ${code} and to print ${expected}: ${came}, and should be "
            "${outcome}, saying ${words}:\n${said}")
    endif()
endfunction()

expect(passes "all is well" 0 "^all is well\n$" ${prints})
expect(fails "should print" 0 "^all is lost\n$" ${prints})
expect(fails "should print" 0 "^all is\n$" ${prints})
expect(fails "and should: 1" 1 "^all is well\n$" ${prints})
expect(passes "all is well" 1 "^all is well\n" ${fails})
expect(fails "ended with: 1" 0 "^all is well\n" ${fails})
expect(fails "should print" 1 "^all is lost\n" ${fails})
expect(fails "ended with" 0 "." ${SCRATCH}/no_such_program)
if(UNIX)
    expect(fails "ended with" 0 "^all is well\n" sh -c "echo all is well && kill -SEGV $$")
    expect(fails "ended with: 3" 0 "^all is well\n" sh -c "echo all is well && exit 3")
    expect(fails "ended with 77: all is well" 0 "^all is well\n" sh -c "echo all is well && exit 77")
endif()
