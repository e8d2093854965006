# Fails if code that goes without the thread sanitizer could hide races of code that has it. LIST
# names the objects of a program, one a line; HIDDEN matches those that must go without.
#
# An inline function that both kinds of objects define is in the program once. If that were the copy without
# the sanitizer, its reads and writes would go unseen.
cmake_minimum_required(VERSION 3.22)

file(STRINGS ${LIST} objects REGEX "\\.o$") # not precompiled headers
set(instrumented "")
set(plain "")
set(hidden 0)
foreach(object IN LISTS objects)
    execute_process(COMMAND ${NM} ${object} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
    # Semicolons and brackets would confuse CMake's lists.
    string(REGEX REPLACE "[][;]" "," symbols "${symbols}")
    string(REGEX MATCHALL " W [^\n]+" shared "${symbols}")
    if(object MATCHES "${HIDDEN}")
        math(EXPR hidden "${hidden} + 1")
        if(symbols MATCHES " __tsan_(read|write|func_entry|atomic)")
            message(SEND_ERROR "instrumented, though it uses oneTBB: ${object}")
        endif()
    elseif(symbols MATCHES "3tbb6detail")
        message(SEND_ERROR "uses oneTBB, but is not among those kept from the sanitizer: ${object}")
    endif()
    if(symbols MATCHES " __tsan_func_entry")
        list(APPEND instrumented ${shared})
    else()
        list(APPEND plain ${shared})
    endif()
endforeach()
if(hidden EQUAL 0 OR NOT instrumented)
    message(FATAL_ERROR "nothing to compare among the objects of ${LIST}")
endif()
list(REMOVE_DUPLICATES instrumented)
list(REMOVE_DUPLICATES plain)
foreach(symbol IN LISTS plain)
    # It only calls std::terminate.
    if(symbol IN_LIST instrumented AND NOT symbol STREQUAL " W __clang_call_terminate")
        message(SEND_ERROR "with the thread sanitizer and without:${symbol}")
    endif()
endforeach()
