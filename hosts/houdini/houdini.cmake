# The node of Houdini between stubs, in the C++ of Houdini's headers.
set(stubs ${CMAKE_CURRENT_BINARY_DIR}/hosts/houdini/stubs)
throng_add_stubs(${stubs} ${CMAKE_CURRENT_LIST_DIR}/stubs/hdk.hpp
    GA/GA_Handle GU/GU_Detail OP/OP_AutoLockInputs OP/OP_Operator OP/OP_OperatorTable PRM/PRM_Include SOP/SOP_Node
    UT/UT_DSOVersion UT/UT_Interrupt UT/UT_ParallelUtil)
add_library(throng_houdini_node OBJECT ${CMAKE_CURRENT_LIST_DIR}/SOP_ThrongNeighbours.cpp)
target_include_directories(throng_houdini_node PRIVATE ${stubs} ${PROJECT_BINARY_DIR}/include)
target_link_libraries(throng_houdini_node PRIVATE throng_flags)
set_target_properties(throng_houdini_node PROPERTIES CXX_STANDARD 17)
add_executable(throng_houdini_tests ${CMAKE_CURRENT_LIST_DIR}/tests/neighbours_test.cpp
    $<TARGET_OBJECTS:throng_houdini_node>)
target_include_directories(throng_houdini_tests PRIVATE ${stubs})
target_link_libraries(throng_houdini_tests PRIVATE throng_flags throng_test_flags throng_core)
add_test(NAME hosts.houdini COMMAND throng_houdini_tests)
