# THRONG_VERSION, as simd/version.hpp says it.
set(THRONG_VERSION "")
foreach(part IN ITEMS MAJOR MINOR PATCH)
    file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/../simd/version.hpp line
        REGEX "^#define THRONG_VERSION_${part} [0-9]+$")
    string(REGEX MATCH "[0-9]+$" number "${line}")
    list(APPEND THRONG_VERSION ${number})
endforeach()
list(JOIN THRONG_VERSION "." THRONG_VERSION)
