# throng_xsimd: the headers of xsimd and nothing else. WebAssembly needs none: simd/isa/four_lanes.hpp.
add_library(throng_xsimd INTERFACE)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
    return()
endif()

# Not xsimd's own target: Debian's links xtl, which is not installed. And not the folder that xsimd is found in:
# when cross-compiling it may be /usr/include, which has another processor's headers.
find_package(xsimd CONFIG QUIET NO_CMAKE_FIND_ROOT_PATH)
# Source packages for indexes that have no xsimd bring its headers in third_party.
find_path(THRONG_XSIMD_INCLUDE_DIR xsimd/xsimd.hpp HINTS ${xsimd_INCLUDE_DIRS} ${xsimd_DIR}/../../../include
    PATHS ${PROJECT_SOURCE_DIR}/third_party NO_CMAKE_FIND_ROOT_PATH)
mark_as_advanced(THRONG_XSIMD_INCLUDE_DIR)
if(NOT THRONG_XSIMD_INCLUDE_DIR)
    message(FATAL_ERROR "xsimd/xsimd.hpp was not found: install xsimd 8.1 or later (Debian: libxsimd-dev), or "
        "say in THRONG_XSIMD_INCLUDE_DIR which folder has it")
endif()

throng_link_folder(${THRONG_XSIMD_INCLUDE_DIR}/xsimd ${PROJECT_BINARY_DIR}/xsimd/xsimd)
target_include_directories(throng_xsimd SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/xsimd)
