# The package for C# and Unity: what is generated is what throng.h says, and mono's tests against the shared library.
find_package(Python3 3.9 QUIET COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND AND THRONG_TEST_SOURCES)
    add_test(NAME hosts.csharp.generated
        COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/generate.py --check)
endif()

# mono loads libthrong.so, of which a static build has only the archive, and that exports nothing: so throng.h's own files
# are compiled again, as those of a shared library, and in the cheapest way. A sanitizer's runtime would have to be there
# before mono is.
if(NOT CMAKE_CROSSCOMPILING AND NOT THRONG_SANITIZE AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
    set(csharp_library throng_core)
    if(NOT BUILD_SHARED_LIBS)
        set(csharp_library throng_c_shared)
        get_target_property(csharp_sources throng_c_objects SOURCES)
        list(FILTER csharp_sources INCLUDE REGEX "^c/([a-z_]+/)?[a-z_]+\\.cpp$")
        list(TRANSFORM csharp_sources PREPEND ${PROJECT_SOURCE_DIR}/)
        set(csharp_exports ${CMAKE_CURRENT_BINARY_DIR}/csharp/exports.map)
        file(CONFIGURE OUTPUT ${csharp_exports} CONTENT "{ global: throng_*; local: *; };\n")
        add_library(throng_c_shared SHARED ${csharp_sources})
        target_compile_definitions(throng_c_shared PRIVATE THRONG_SHARED)
        target_compile_options(throng_c_shared PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O1>)
        set_target_properties(throng_c_shared PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 20)
        target_precompile_headers(throng_c_shared REUSE_FROM throng_objects)
        target_link_libraries(throng_c_shared PRIVATE throng_flags throng_core)
        # mono unloads libraries when it ends, and oneTBB's threads still run then: as in shared builds.
        target_link_options(throng_c_shared PRIVATE LINKER:--version-script=${csharp_exports} LINKER:--no-undefined
            LINKER:-z,nodelete)
    endif()
    add_test(NAME hosts.csharp
        COMMAND ${CMAKE_CURRENT_LIST_DIR}/tests/run $<TARGET_FILE:${csharp_library}>
                ${CMAKE_CURRENT_BINARY_DIR}/csharp/scratch)
    set_tests_properties(hosts.csharp PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 1000)
    set_property(GLOBAL APPEND PROPERTY THRONG_REFUSAL_DOORS --door csharp
        ${CMAKE_CURRENT_LIST_DIR}/tests/run $<TARGET_FILE:${csharp_library}>
        ${CMAKE_CURRENT_BINARY_DIR}/csharp/refusals refusals)
endif()
