# The window of --view: SDL2, from the first that draws triangles, and Dear ImGui up to the last whose
# SDL part is called as this one's.
set(THRONG_DEMO_VIEW "AUTO" CACHE STRING
    "The window of the demo: ON, OFF, or AUTO, which is where SDL2 and Dear ImGui are found")
set_property(CACHE THRONG_DEMO_VIEW PROPERTY STRINGS AUTO ON OFF)
set(view_found FALSE)
if(THRONG_DEMO_VIEW)
    find_package(PkgConfig QUIET)
    if(PKG_CONFIG_FOUND)
        pkg_check_modules(throng_view QUIET IMPORTED_TARGET
            "sdl2>=2.0.18" "imgui>=1.84" "imgui<1.89.3")
        set(view_found ${throng_view_FOUND})
    endif()
    if(NOT view_found AND NOT THRONG_DEMO_VIEW STREQUAL "AUTO")
        message(FATAL_ERROR "SDL2 or Dear ImGui was not found (Debian: libsdl2-dev libimgui-dev)")
    endif()
endif()
if(NOT view_found)
    message(STATUS "The demo is built without its window")
    if(THRONG_BUILD_TESTS AND THRONG_DEMO_VIEW)
        throng_lacks(demo.view "sdl2, imgui (Debian: libsdl2-dev libimgui-dev)")
    endif()
    return()
endif()

file(GLOB view_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
target_sources(throng_demo PRIVATE ${view_sources})
target_compile_definitions(throng_demo PRIVATE THRONG_DEMO_HAS_VIEW)
target_link_libraries(throng_demo PRIVATE PkgConfig::throng_view)

if(NOT THRONG_BUILD_TESTS)
    return()
endif()
if(NOT TARGET GTest::gtest)
    throng_find_googletest()
endif()
# What can be told without a window, and then the window itself, on a display without a screen.
set(view_tests ${PROJECT_SOURCE_DIR}/tests/view)
add_executable(throng_view_tests ${view_tests}/view_test.cpp
    ${PROJECT_SOURCE_DIR}/tests/support/main.cpp
    view/camera.cpp view/cells.cpp view/hand.cpp view/plot.cpp view/text.cpp)
target_compile_options(throng_view_tests PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O1>)
target_link_libraries(throng_view_tests PRIVATE throng_flags throng::throng GTest::gtest)
add_test(NAME demo.view.parts COMMAND throng_view_tests)
set_tests_properties(demo.view.parts PROPERTIES
    ENVIRONMENT GTEST_OUTPUT=xml:${PROJECT_BINARY_DIR}/results/view.xml SKIP_RETURN_CODE 77)
add_test(NAME demo.view
    COMMAND ${view_tests}/run $<TARGET_FILE:throng_demo> ${CMAKE_CURRENT_BINARY_DIR}/view)
set_tests_properties(demo.view PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120)
