# throng_find_googletest(): GTest::gtest, from a package, else from the sources that Debian ships:
# there is no package for the processors we cross-compile for.
function(throng_find_googletest)
    find_package(GTest QUIET)
    if(NOT GTest_FOUND)
        if(NOT EXISTS /usr/src/googletest/CMakeLists.txt)
            message(FATAL_ERROR "GoogleTest was not found (Debian: libgtest-dev or googletest)")
        endif()
        set(BUILD_SHARED_LIBS OFF)
        set(BUILD_GMOCK OFF CACHE BOOL "" FORCE)
        set(INSTALL_GTEST OFF CACHE BOOL "" FORCE)
        set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
        add_subdirectory(/usr/src/googletest ${PROJECT_BINARY_DIR}/googletest EXCLUDE_FROM_ALL)
        target_compile_options(gtest PRIVATE -O0) # a third of the time to compile
        if(NOT TARGET GTest::gtest)
            add_library(GTest::gtest ALIAS gtest)
        endif()
    endif()
endfunction()
