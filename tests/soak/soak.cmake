# Tests that take hours (scripts/test --long), and a short run of each in the suite.
file(GLOB soak_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
add_executable(throng_soak ${soak_sources} ${allocation_counter})
throng_compile_together(throng_soak)
target_link_libraries(throng_soak PRIVATE throng_flags throng_test_support throng_whole GTest::gtest)
add_test(NAME soak.churn COMMAND throng_soak churn 3e6)
add_test(NAME soak.frames COMMAND throng_soak frames 5)
add_test(NAME soak.load COMMAND throng_soak load 1e5 200)
set_tests_properties(soak.churn soak.frames soak.load PROPERTIES TIMEOUT 200)
# That it would not go unnoticed.
throng_add_output_test(soak.hoard "it grows" CODE 1 COMMAND throng_soak hoard)
set_tests_properties(soak.hoard PROPERTIES TIMEOUT 200)
# 134: aborted, as a shell has it.
throng_add_output_test(soak.watchdog "no progress for 1 s; it stood at: the beginning" CODE 134
    COMMAND sh -c "$<TARGET_FILE:throng_soak> stand-still; exit $?")
set_tests_properties(soak.watchdog PROPERTIES TIMEOUT 20)
