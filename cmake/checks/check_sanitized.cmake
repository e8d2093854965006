# Fails if a program (those after --) has an inline function of the library without the undefined-behaviour
# sanitizer. The one asked for turns a coordinate into a cell, and so casts a float; tests inline or call it, too,
# and their own copies go without the sanitizer.
cmake_minimum_required(VERSION 3.22)

set(symbol _ZNK6throng9GridShapeILm2EE7cell_onEmf)
set(only --disassemble=${symbol})
if(OBJDUMP MATCHES "llvm")
    set(only --disassemble-symbols=${symbol})
endif()
set(programs FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(number RANGE ${last})
    set(argument ${CMAKE_ARGV${number}})
    if(argument STREQUAL "--")
        set(programs TRUE)
    elseif(programs)
        execute_process(COMMAND ${OBJDUMP} -d --no-show-raw-insn ${only} ${argument}
            OUTPUT_VARIABLE code COMMAND_ERROR_IS_FATAL ANY)
        if(NOT code MATCHES "<${symbol}>:")
            message(SEND_ERROR "${argument} has no function ${symbol}: another one must be asked for")
        elseif(NOT code MATCHES "__ubsan_handle")
            message(SEND_ERROR "${argument} has ${symbol} without the sanitizer")
        endif()
    endif()
endforeach()
