# WebAssembly: the library for JavaScript, the module of the page, and the page's crowd as a program.
include(${PROJECT_SOURCE_DIR}/cmake/exports.cmake)
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)

# It does not compile where structures lie otherwise than src/abi.mjs says.
set(layout ${PROJECT_BINARY_DIR}/hosts/web/layout.cpp)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/hosts/web)
add_custom_command(OUTPUT ${layout}
    COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/generate.py --layout > ${layout}
    DEPENDS ${CMAKE_CURRENT_LIST_DIR}/generate.py ${PROJECT_SOURCE_DIR}/tests/c/header/header.py ${PROJECT_SOURCE_DIR}/throng.h)

# Modules without a program of their own, which JavaScript starts and then calls; and no names of functions in them.
function(throng_add_module name)
    add_executable(${name} ${ARGN})
    target_link_libraries(${name} PRIVATE throng_flags throng_core)
    target_link_options(${name} PRIVATE -mexec-model=reactor LINKER:--strip-all)
endfunction()

throng_add_module(throng_web ${layout})
set_target_properties(throng_web PROPERTIES OUTPUT_NAME throng)
target_include_directories(throng_web PRIVATE ${PROJECT_SOURCE_DIR})
throng_exports_of(calls throng.h)
list(TRANSFORM calls PREPEND LINKER:--export=)
target_link_options(throng_web PRIVATE ${calls} LINKER:--export=malloc LINKER:--export=free)

set(page ${CMAKE_CURRENT_LIST_DIR}/page)
# Its module is a part of the page, and has no scalar kernels: these files take the place of the library's.
set(dispatchers ${PROJECT_SOURCE_DIR}/simd/kernels/grid/grid_dispatch.cpp ${PROJECT_SOURCE_DIR}/simd/kernels/tree/tree_dispatch.cpp)
throng_add_module(throng_page ${page}/bouncing_crowd.cpp ${page}/calls.cpp ${page}/picture.cpp ${dispatchers})
throng_list_archs(${PROJECT_BINARY_DIR}/hosts/web/archs Wasm)
target_include_directories(throng_page BEFORE PRIVATE ${PROJECT_BINARY_DIR}/hosts/web/archs)

add_executable(throng_bounce ${page}/bouncing_crowd.cpp ${page}/native.cpp)
target_link_libraries(throng_bounce PRIVATE throng_flags throng_core)
set_target_properties(throng_web throng_page throng_bounce PROPERTIES SUFFIX .wasm)
