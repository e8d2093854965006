# Fails unless throng.h compiles as C99, C11, C++11 and C++20 without a warning, by every compiler that
# this machine has: cmake -DHEADER=<header.c> -DINCLUDE=<folder> "-DCOMPILERS=<path>,<path>" -P ...
cmake_minimum_required(VERSION 3.22)

string(REPLACE "," ";" compilers "${COMPILERS}")
foreach(name gcc clang clang-14 clang-19)
    find_program(found_${name} NAMES ${name})
    if(found_${name})
        list(APPEND compilers ${found_${name}})
    endif()
endforeach()
list(REMOVE_DUPLICATES compilers)

set(flags -fsyntax-only -pedantic -Werror -Wall -Wextra -Wconversion -Wshadow -Wundef -I${INCLUDE})
foreach(compiler IN LISTS compilers)
    foreach(standard c99 c11 c++11 c++20)
        set(language c)
        set(more -Wstrict-prototypes -Wmissing-prototypes -Wc++-compat)
        if(standard MATCHES "\\+\\+")
            set(language c++)
            set(more -Wno-missing-field-initializers)
        endif()
        execute_process(
            COMMAND ${compiler} ${flags} ${more} -x ${language} -std=${standard} ${HEADER}
            RESULT_VARIABLE failed ERROR_VARIABLE said)
        if(failed)
            message(SEND_ERROR "${compiler} -std=${standard}:\n${said}")
        else()
            message(STATUS "${compiler} -std=${standard}")
        endif()
    endforeach()
endforeach()
