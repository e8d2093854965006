# Debian packages, one for each component: `cpack -G DEB` in a build folder. Shared builds have packages of
# libraries; static ones have libthrong-dev alone.
#
# With -DCMAKE_INSTALL_PREFIX=/usr libraries lie where Debian puts them, in a folder for each processor;
# otherwise in lib.
set(version ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME throng)
set(CPACK_PACKAGE_VENDOR "Throng")
set(CPACK_PACKAGE_CONTACT "The Throng authors <authors@throng.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # otherwise it begins every description
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
if(CMAKE_CROSSCOMPILING)
    # Otherwise it would be that of the machine that compiles.
    set(debian_x86_64 amd64)
    set(debian_aarch64 arm64)
    set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE "${debian_${CMAKE_SYSTEM_PROCESSOR}}")
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})

# describe(<component> <package> <section> <depends> <summary>)
macro(describe component package section depends summary)
    string(TOUPPER ${component} upper)
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
    set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
    set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}")
    set(CPACK_DEBIAN_${upper}_DESCRIPTION "SIMD spatial queries for large moving crowds: ${summary}
Throng answers which agents are near which, for millions that all move
in every frame.")
    list(APPEND CPACK_COMPONENTS_ALL ${component})
    foreach(name IN ITEMS copyright changelog.gz)
        install(FILES ${PROJECT_BINARY_DIR}/debian/${name} DESTINATION share/doc/${package}
            COMPONENT ${component} EXCLUDE_FROM_ALL)
    endforeach()
endmacro()

# describe_library(<component> <library> <depends> <summary>): also writes the dependency of programs that link
# it, for which CPack would demand the same patch version, and the trigger, which CPack does not write.
macro(describe_library component library depends summary)
    string(REPLACE _ - package ${library}${version})
    describe(${component} ${package} libs "${depends}" "${summary}")
    set(control ${PROJECT_BINARY_DIR}/debian/${component})
    file(WRITE ${control}/shlibs "${library} ${version} ${package} (>= ${PROJECT_VERSION})\n")
    file(WRITE ${control}/triggers "activate-noawait ldconfig\n")
    set(CPACK_DEBIAN_${upper}_PACKAGE_CONTROL_EXTRA ${control}/shlibs ${control}/triggers)
    list(APPEND needs "${package} (= ${PROJECT_VERSION})")
endmacro()

configure_file(LICENSE ${PROJECT_BINARY_DIR}/debian/copyright COPYONLY)
find_program(THRONG_GZIP gzip)
mark_as_advanced(THRONG_GZIP)
if(THRONG_GZIP)
    execute_process(COMMAND ${THRONG_GZIP} -9nc ${PROJECT_SOURCE_DIR}/CHANGELOG.md
        OUTPUT_FILE ${PROJECT_BINARY_DIR}/debian/changelog.gz COMMAND_ERROR_IS_FATAL ANY)
else()
    return() # every system with Debian's packages has it
endif()

set(CPACK_COMPONENTS_ALL "")
set(needs "")
if(BUILD_SHARED_LIBS)
    describe_library(throng_core libthrong "" "the library")
    if(THRONG_MPI)
        describe_library(throng_mpi libthrong_mpi "" "the ranks of MPI jobs")
    endif()
    if(THRONG_ZOLTAN)
        describe_library(throng_zoltan libthrong_zoltan "" "cuts by Zoltan")
    endif()
elseif(THRONG_TBB)
    list(APPEND needs libtbb-dev) # for hosts that link the static library
endif()
list(JOIN needs ", " needs)
describe(throng_development libthrong-dev libdevel "${needs}" "headers")
set(CPACK_DEBIAN_THRONG_DEVELOPMENT_PACKAGE_SUGGESTS libxsimd-dev)
include(CPack)
