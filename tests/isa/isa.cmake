# The status for a host whose environment names an unknown instruction set; in a process of its own, since the
# choice is made once.
add_executable(throng_isa_tests isa/unknown_test.cpp)
target_link_libraries(throng_isa_tests PRIVATE throng_flags throng_test_support throng_whole
    GTest::gtest)
add_test(NAME isa.unknown COMMAND throng_isa_tests)
set_tests_properties(isa.unknown PROPERTIES
    ENVIRONMENT GTEST_OUTPUT=xml:${results}/isa.unknown.xml)
