# Fails where a header for hosts has words that not every compiler knows: Microsoft's refuses them, or ignores them with
# a warning in each file. HEADERS are these, under ROOT. simd/isa/compiler.hpp may have such words, and those of
# throng.h, which includes nothing, stand behind a test for the compiler.
cmake_minimum_required(VERSION 3.22)

string(REPLACE "," ";" headers "${HEADERS}")
list(REMOVE_ITEM headers simd/isa/compiler.hpp throng.h)
foreach(header IN LISTS headers)
    file(READ ${ROOT}/${header} text)
    # Brackets and semicolons would confuse CMake's lists.
    string(REGEX REPLACE "[][;]" " " text "${text}")
    string(REGEX REPLACE "//[^\n]*" "" text "${text}")
    string(REPLACE "\n" ";" lines "${text}")
    foreach(line IN LISTS lines)
        if(line MATCHES "no_unique_address|gnu::|clang::|msvc::|__attribute__|__declspec|__builtin_|__has_|__restrict|__extension__|(^|[^A-Za-z0-9_])(asm|typeof|__int128)[^A-Za-z0-9_]")
            message(SEND_ERROR "${header} has a word of one compiler's: ${line}")
        elseif(line MATCHES "__(x86_64|aarch64|GNUC|clang|linux)__|_MSC_VER|_WIN32|__APPLE__")
            message(SEND_ERROR "${header} depends on a compiler or a processor: ${line}")
        endif()
    endforeach()
endforeach()
