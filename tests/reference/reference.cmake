# docs/reference.md is what scripts/reference writes.
if(Python3_Interpreter_FOUND)
    add_test(NAME reference.page
        COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/reference.py --check)
    add_test(NAME reference.self_test
        COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/reference_test.py)
endif()
