# Fails if one of OBJECTS, kernels compiled for one instruction set, defines external code whose name
# does not contain ARCH. The linker may merge such code with the same inline function of an ordinary
# file, which then runs instructions that an older processor does not have.
string(REPLACE "," ";" objects "${OBJECTS}")
set(looked_at 0)
foreach(object IN LISTS objects)
    if(NOT object MATCHES "[.](o|obj)$" OR object MATCHES "cmake_pch")
        continue()
    endif()
    math(EXPR looked_at "${looked_at} + 1")
    execute_process(COMMAND ${NM} -C --defined-only --extern-only ${object}
        OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
    # Brackets and semicolons would confuse CMake's lists.
    string(REGEX REPLACE "[][;]" "," symbols "${symbols}")
    string(REPLACE "\n" ";" symbols "${symbols}")
    set(own 0)
    foreach(symbol IN LISTS symbols)
        if(symbol MATCHES "${ARCH}([^a-z0-9_]|$)")
            math(EXPR own "${own} + 1")
        elseif(symbol MATCHES "^[0-9a-f]+ [TWi] " AND NOT symbol MATCHES " __clang_call_terminate$")
            # Constants (R, V, u) may be merged: they hold no instructions.
            message(SEND_ERROR "shared between instruction sets: ${symbol}")
        endif()
    endforeach()
    if(own EQUAL 0)
        message(FATAL_ERROR "nothing in ${object} is named after ${ARCH}")
    endif()
endforeach()
if(looked_at EQUAL 0)
    message(FATAL_ERROR "no object among ${OBJECTS}")
endif()
