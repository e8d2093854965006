# What recipes for packages say, and that a tag can be fetched. scripts/packages builds them.
find_package(Python3 3.9 QUIET COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND)
    add_test(NAME packages.recipes
        COMMAND ${Python3_EXECUTABLE} -B -W error ${CMAKE_CURRENT_LIST_DIR}/recipes_test.py)
endif()
add_test(NAME packages.fetch
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/fetch.sh ${CMAKE_CURRENT_BINARY_DIR}/packages)
set_tests_properties(packages.fetch PROPERTIES SKIP_RETURN_CODE 77
    ENVIRONMENT "CXX=${CMAKE_CXX_COMPILER};CMAKE_GENERATOR=${CMAKE_GENERATOR}")
