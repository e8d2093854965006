# The table of refusals, run through every door that is here. Doors whose tools are missing are named, and left out.
find_package(Python3 3.9 QUIET COMPONENTS Interpreter)
if(NOT Python3_Interpreter_FOUND OR CMAKE_CROSSCOMPILING)
    return()
endif()

set(doors "")
foreach(door IN ITEMS cpp c)
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/${door}/*.cpp)
    add_executable(throng_refusals_${door} ${sources})
    throng_compile_together(throng_refusals_${door})
    target_compile_options(throng_refusals_${door} PRIVATE ${throng_test_options})
    target_link_libraries(throng_refusals_${door} PRIVATE throng_flags throng_whole)
    list(APPEND doors --door ${door} $<TARGET_FILE:throng_refusals_${door}>)
endforeach()
# Those of other languages, each from where its package is built.
get_property(others GLOBAL PROPERTY THRONG_REFUSAL_DOORS)

add_test(NAME refusals
    COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/run.py ${doors} ${others})
set_tests_properties(refusals PROPERTIES TIMEOUT 1000)
add_test(NAME refusals.self_test COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/run_test.py)
