# What scripts refuse and ask of CMake, where long ones go on, the compiler cache, and tables of scripts/bench.
if(Python3_Interpreter_FOUND AND CMAKE_HOST_SYSTEM_NAME STREQUAL "Linux")
    foreach(name IN ITEMS against cache long mutants refusals settings watch)
        add_test(NAME scripts.${name} COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/${name}_test.py)
    endforeach()
    set_tests_properties(scripts.cache PROPERTIES SKIP_RETURN_CODE 77)
endif()
