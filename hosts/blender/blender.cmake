# The add-on for Blender: headless, with the package for Python of this build.
if(THRONG_BUILD_PYTHON AND NOT THRONG_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
    add_test(NAME hosts.blender
        COMMAND ${CMAKE_CURRENT_LIST_DIR}/tests/run ${PROJECT_BINARY_DIR}/python
                ${CMAKE_CURRENT_BINARY_DIR}/blender)
    set_tests_properties(hosts.blender PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
endif()
