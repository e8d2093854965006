# For JavaScript, what needs no WebAssembly: scripts/web has the other tests.
find_package(Python3 3.9 QUIET COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND AND THRONG_TEST_SOURCES)
    add_test(NAME hosts.web.generated COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/generate.py --check)
endif()

# What the page's crowd comes to. scripts/web holds WebAssembly to the same numbers; after a change of the crowd:
# throng_bounce 1000 10000 200000 >hosts/web/tests/golden.txt
add_executable(throng_bounce ${CMAKE_CURRENT_LIST_DIR}/page/bouncing_crowd.cpp ${CMAKE_CURRENT_LIST_DIR}/page/native.cpp)
target_link_libraries(throng_bounce PRIVATE throng_flags throng_test_flags throng_library_first throng_whole)
file(READ ${CMAKE_CURRENT_LIST_DIR}/tests/golden.txt web_golden)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/tests/golden.txt)
foreach(isa IN LISTS isas)
    throng_add_output_test(hosts.web.${isa} "^${web_golden}$" SKIPPABLE COMMAND throng_bounce 1000 10000 200000)
    set_tests_properties(hosts.web.${isa} PROPERTIES TIMEOUT ${timeout})
    throng_set_isa(hosts.web.${isa} ${isa})
endforeach()
