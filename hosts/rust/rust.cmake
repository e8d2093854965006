# The crates for Rust, with the library of this build. Programs of Rust know no sanitizer of the library's, and are
# linked with libstdc++.
if(NOT THRONG_SANITIZE AND NOT CMAKE_CROSSCOMPILING AND NOT CMAKE_CXX_FLAGS MATCHES "-stdlib=libc[+][+]")
    add_test(NAME hosts.rust
        COMMAND ${CMAKE_CURRENT_LIST_DIR}/test $<TARGET_FILE_DIR:throng_core> ${CMAKE_CURRENT_BINARY_DIR}/rust)
    set_tests_properties(hosts.rust PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 2000)
    set_property(GLOBAL APPEND PROPERTY THRONG_REFUSAL_DOORS --door rust
        ${CMAKE_CURRENT_LIST_DIR}/test $<TARGET_FILE_DIR:throng_core> ${CMAKE_CURRENT_BINARY_DIR}/rust refusals)
endif()

# The bindings are those of throng.h, and methods those of the rows in hosts/calls/calls.txt.
find_package(Python3 3.9 QUIET COMPONENTS Interpreter)
if(THRONG_TEST_SOURCES AND Python3_Interpreter_FOUND)
    add_test(NAME hosts.rust.bindings
        COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/throng-sys/generate.py --check)
    add_test(NAME hosts.rust.calls
        COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/throng/generate.py --check)
endif()
