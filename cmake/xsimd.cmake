# throng_xsimd: the headers of xsimd and nothing else.
#
# Not xsimd's own target: that of Debian names xtl as a library to link, which is not there. And not
# the folder it is found in: cross-compiling, that may be /usr/include, with another processor's
# headers in it.
find_package(xsimd CONFIG QUIET NO_CMAKE_FIND_ROOT_PATH)
find_path(THRONG_XSIMD_INCLUDE_DIR xsimd/xsimd.hpp HINTS ${xsimd_INCLUDE_DIRS} ${xsimd_DIR}/../../../include
    NO_CMAKE_FIND_ROOT_PATH)
mark_as_advanced(THRONG_XSIMD_INCLUDE_DIR)
if(NOT THRONG_XSIMD_INCLUDE_DIR)
    message(FATAL_ERROR "xsimd/xsimd.hpp was not found: install xsimd 8.1 or later (Debian: libxsimd-dev), or "
        "say in THRONG_XSIMD_INCLUDE_DIR which folder has it")
endif()

file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/xsimd)
file(CREATE_LINK ${THRONG_XSIMD_INCLUDE_DIR}/xsimd ${PROJECT_BINARY_DIR}/xsimd/xsimd SYMBOLIC)
add_library(throng_xsimd INTERFACE)
target_include_directories(throng_xsimd SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/xsimd)
