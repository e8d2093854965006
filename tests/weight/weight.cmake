# What the project weighs is in table.tsv: scripts/weight.
if(Python3_Interpreter_FOUND AND NOT THRONG_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
    add_test(NAME weight
        COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/weight.py --build ${PROJECT_BINARY_DIR})
    add_test(NAME weight.self_test
        COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/weight_test.py)
    set_tests_properties(weight.self_test PROPERTIES ENVIRONMENT CXX=${CMAKE_CXX_COMPILER})
endif()
