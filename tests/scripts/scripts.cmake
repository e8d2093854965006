# What scripts refuse, what they ask of CMake, where mutants and long runs go on, and the tables of scripts/bench --against and --watch.
if(Python3_Interpreter_FOUND AND CMAKE_HOST_SYSTEM_NAME STREQUAL "Linux")
    foreach(name IN ITEMS against long mutants refusals settings watch)
        add_test(NAME scripts.${name} COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/${name}_test.py)
    endforeach()
endif()
