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
    return()
endif()

file(GLOB view_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/view*.cpp)
target_sources(throng_demo PRIVATE ${view_sources})
target_compile_definitions(throng_demo PRIVATE THRONG_DEMO_HAS_VIEW)
target_link_libraries(throng_demo PRIVATE PkgConfig::throng_view)
