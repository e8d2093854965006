# The C API: bad input and the same answers as in C++ (GoogleTest), a host written in C, the header by itself,
# and the ABI. None of it depends on the instruction set, so only the best of this machine is tested.
set(every_isa ${isas})
if(THRONG_TEST_ISAS STREQUAL "all")
    set(isas native)
else()
    list(GET every_isa 0 isas)
endif()
throng_add_tests(c FOLDERS c c/family)
target_sources(throng_c_tests PRIVATE c/agent_calls.cpp c/calls.cpp c/obstacle_calls.cpp c/refusals.cpp c/rig.cpp ${allocation_counter})
target_compile_definitions(throng_c_tests PRIVATE
    THRONG_TEST_HEADER="${PROJECT_SOURCE_DIR}/throng.h")
set(isas ${every_isa})

enable_language(C)
set(CMAKE_C_STANDARD 99)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
find_package(Threads REQUIRED)

file(GLOB host_sources CONFIGURE_DEPENDS c/host/*.c)
add_executable(throng_c_host ${host_sources})
target_compile_definitions(throng_c_host PRIVATE _POSIX_C_SOURCE=200809L)
target_compile_options(throng_c_host PRIVATE -pedantic $<$<NOT:$<CONFIG:Debug>>:-O1>)
# Against the library that hosts link; if it is shared, its exports are tested too.
target_link_libraries(throng_c_host PRIVATE throng_flags throng_core Threads::Threads m)
add_test(NAME c.host COMMAND throng_c_host)
set_tests_properties(c.host PROPERTIES TIMEOUT 2000)

add_executable(throng_c_example c/example.c)
target_link_libraries(throng_c_example PRIVATE throng_flags throng_core)
throng_add_output_test(c.example "^2 agents are near: 0 and 1\n$" COMMAND throng_c_example)
add_executable(throng_c_example_distributed c/example_distributed.c)
target_link_libraries(throng_c_example_distributed PRIVATE throng_flags throng_distributed)
throng_add_output_test(c.example.distributed "^3 agents on 1 rank, 1 pair\n$" COMMAND throng_c_example_distributed)

if(NOT THRONG_TEST_SOURCES)
    return()
endif()

add_test(NAME c.header
    COMMAND ${CMAKE_COMMAND} -DHEADER=${CMAKE_CURRENT_LIST_DIR}/header/header.c
            -DINCLUDE=${PROJECT_BINARY_DIR}/include
            "-DCOMPILERS=${CMAKE_C_COMPILER},${CMAKE_CXX_COMPILER}"
            -P ${CMAKE_CURRENT_LIST_DIR}/header/header.cmake)

find_package(Python3 3.9 QUIET COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND)
    set(abi ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/header/abi.py)
    set(library ${PROJECT_SOURCE_DIR}/throng.h ${CMAKE_CURRENT_LIST_DIR}/header/abi.txt
        ${CMAKE_C_COMPILER} ${CMAKE_NM} $<TARGET_FILE:throng_core>)
    add_test(NAME c.abi COMMAND ${abi} check ${library})
    add_test(NAME c.complete COMMAND ${abi} called ${PROJECT_SOURCE_DIR}/throng.h ${host_sources})
    set(distributed_header ${PROJECT_SOURCE_DIR}/throng_distributed.h)
    set(distributed_file $<TARGET_FILE:throng_core>)
    if(NOT BUILD_SHARED_LIBS)
        set(distributed_file $<TARGET_FILE:throng_distributed>)
    endif()
    set(distributed_library ${distributed_header} ${CMAKE_CURRENT_LIST_DIR}/header/abi_distributed.txt
        ${CMAKE_C_COMPILER} ${CMAKE_NM} ${distributed_file})
    add_test(NAME c.abi.distributed COMMAND ${abi} check ${distributed_library})
    add_test(NAME c.complete.distributed COMMAND ${abi} called ${distributed_header}
        ${PROJECT_SOURCE_DIR}/tests/distributed/host_crowd.hpp ${PROJECT_SOURCE_DIR}/tests/distributed/c_test.cpp
        ${PROJECT_SOURCE_DIR}/tests/distributed/c_sets_test.cpp)
    set(family_header ${PROJECT_SOURCE_DIR}/throng_family.h)
    set(family_file $<TARGET_FILE:throng_core>)
    if(NOT BUILD_SHARED_LIBS)
        set(family_file $<TARGET_FILE:throng_family>)
    endif()
    set(family_library ${family_header} ${CMAKE_CURRENT_LIST_DIR}/header/abi_family.txt
        ${CMAKE_C_COMPILER} ${CMAKE_NM} ${family_file})
    add_test(NAME c.abi.family COMMAND ${abi} check ${family_library})
    add_test(NAME c.complete.family COMMAND ${abi} called ${family_header}
        ${PROJECT_SOURCE_DIR}/tests/c/family/answers_test.cpp ${PROJECT_SOURCE_DIR}/tests/c/family/refusals_test.cpp)
    add_custom_target(throng_renew_abi COMMAND ${abi} renew ${library}
        COMMAND ${abi} renew ${distributed_library} COMMAND ${abi} renew ${family_library} VERBATIM)
    add_dependencies(throng_renew_abi throng_core throng_distributed throng_family)
    throng_add_output_test(c.foreign
        "^2 agents are near: 0 and 1\ncrowd is a handle that was destroyed, or never made\n$" SKIPPABLE
        COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/foreign.py $<TARGET_FILE:throng_core>)
endif()
