# The filter of VTK, where VTK 9 is installed. VTK's own code knows no sanitizer of the library's.
# A function, since what finds VTK sets many variables.
function(throng_test_vtk)
    find_package(VTK 9.0 QUIET COMPONENTS CommonCore CommonDataModel CommonExecutionModel)
    if(NOT VTK_FOUND)
        throng_lacks(hosts.vtk vtk)
        return()
    endif()
    add_subdirectory(${PROJECT_SOURCE_DIR}/hosts/vtk hosts/vtk)
    add_executable(throng_vtk_tests ${PROJECT_SOURCE_DIR}/hosts/vtk/tests/neighbours_test.cpp)
    # Each macro of VTK's is followed by a semicolon too many.
    target_include_directories(throng_vtk_tests SYSTEM PRIVATE ${PROJECT_SOURCE_DIR}/hosts/vtk/filter)
    target_link_libraries(throng_vtk_tests PRIVATE throng_flags vtkThrong throng_core)
    add_test(NAME hosts.vtk COMMAND throng_vtk_tests)
endfunction()
if(NOT THRONG_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
    throng_test_vtk()
endif()
