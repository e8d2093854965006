# Random sequences, and answers that must not change when a crowd is turned around.
throng_add_tests(trust)
file(GLOB trust_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
list(FILTER trust_sources EXCLUDE REGEX "_test\\.cpp$")
target_sources(throng_trust_tests PRIVATE ${trust_sources})
