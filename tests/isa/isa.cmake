# The status for a host whose environment names an unknown instruction set; in a process of its own, since the
# choice is made once.
add_executable(throng_isa_tests isa/unknown_test.cpp)
target_link_libraries(throng_isa_tests PRIVATE throng_flags throng_test_support throng_whole
    GTest::gtest)
add_test(NAME isa.unknown COMMAND throng_isa_tests)
set_tests_properties(isa.unknown PROPERTIES
    ENVIRONMENT GTEST_OUTPUT=xml:${results}/isa.unknown.xml)

# Sanitizers' code is their own, and a shared library has no members to tell apart. That the test sees instructions at
# all it shows on kernels that have many.
if(("Avx2" IN_LIST THRONG_ARCHS OR "Avx512" IN_LIST THRONG_ARCHS) AND NOT CMAKE_CROSSCOMPILING AND NOT THRONG_SANITIZE AND NOT BUILD_SHARED_LIBS)
    set(archives "")
    foreach(library IN LISTS THRONG_LIBRARIES)
        list(APPEND archives $<TARGET_FILE:${library}>)
    endforeach()
    add_test(NAME isa.baseline COMMAND ${CMAKE_CURRENT_LIST_DIR}/baseline.sh ${CMAKE_OBJDUMP} ${archives})
endif()
if(NOT CMAKE_CROSSCOMPILING)
    add_test(NAME isa.settings COMMAND ${CMAKE_COMMAND} -DTHRONG=${PROJECT_SOURCE_DIR} -DCOMPILER=${CMAKE_CXX_COMPILER}
        -DSCRATCH=${CMAKE_CURRENT_BINARY_DIR}/isa_settings -P ${CMAKE_CURRENT_LIST_DIR}/settings.cmake)
    # There may be no make, which CMake would take otherwise.
    set_tests_properties(isa.settings PROPERTIES ENVIRONMENT CMAKE_GENERATOR=${CMAKE_GENERATOR})
endif()
