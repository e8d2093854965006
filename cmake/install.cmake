# Install rules, the files for find_package(throng) and pkg-config, and the packages of `cpack -G DEB`.
#
# Components: programs need throng_core to run, and throng_development to be compiled.
# Static libraries are in throng_development alone.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/throng)

set(libraries ${THRONG_LIBRARIES})
set(headers ${THRONG_PUBLIC_HEADERS} ${THRONG_DISTRIBUTED_HEADERS} ${THRONG_FUSED_HEADERS})
if(THRONG_FAMILY)
    list(APPEND headers ${THRONG_FAMILY_HEADERS})
endif()
if(THRONG_MPI)
    list(APPEND libraries throng_mpi)
    list(APPEND headers ${THRONG_MPI_HEADERS})
endif()
if(THRONG_ZOLTAN)
    list(APPEND libraries throng_zoltan)
    list(APPEND headers ${THRONG_ZOLTAN_HEADERS})
endif()
foreach(library IN LISTS libraries)
    string(REPLACE throng_ "" component ${library})
    install(TARGETS ${library} EXPORT throng-${component}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT throng_development
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${library}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
            COMPONENT ${library} NAMELINK_COMPONENT throng_development
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT throng-${component} NAMESPACE throng:: FILE ${component}.cmake
        DESTINATION ${package_dir} COMPONENT throng_development)
endforeach()
foreach(header IN LISTS headers)
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/throng/${folder}
        COMPONENT throng_development)
endforeach()

configure_package_config_file(cmake/config.cmake.in ${PROJECT_BINARY_DIR}/throng-config.cmake
    INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/throng-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/add_kernel.cmake ${PROJECT_BINARY_DIR}/throng-config.cmake
    ${PROJECT_BINARY_DIR}/throng-config-version.cmake
    DESTINATION ${package_dir} COMPONENT throng_development)

# The prefix is relative to the file, so that the installed folder can be moved; on systems that have a folder
# for each kind of file, the paths are absolute.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
    set(pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
    file(RELATIVE_PATH pc_prefix /prefix/${pc_dir} /prefix)
    string(REGEX REPLACE "/$" "" pc_prefix "\${pcfiledir}/${pc_prefix}")
endif()
foreach(kind IN ITEMS LIB INCLUDE)
    set(pc_${kind} ${CMAKE_INSTALL_${kind}DIR})
    if(NOT IS_ABSOLUTE ${pc_${kind}})
        set(pc_${kind} "\${prefix}/${pc_${kind}}")
    endif()
endforeach()
set(pc_flags "")
set(pc_private_libraries "-lstdc++ -lm -pthread")
set(pc_requires_private "")
if(THRONG_TBB AND NOT BUILD_SHARED_LIBS)
    set(pc_requires_private tbb) # a shared library brings it; the host needs nothing of oneTBB's to be compiled
endif()
set(pc_family "Libs: -L\${libdir} -lthrong_family")
set(pc_distributed "Libs: -L\${libdir} -lthrong_distributed")
if(BUILD_SHARED_LIBS)
    set(pc_family "Libs:") # libthrong holds all
    set(pc_distributed "Libs:")
    set(pc_flags " -DTHRONG_SHARED")
endif()
set(pc_files throng throng-distributed)
if(THRONG_FAMILY)
    list(APPEND pc_files throng-family)
endif()
if(THRONG_MPI)
    list(APPEND pc_files throng-mpi)
endif()
foreach(name IN LISTS pc_files)
    configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${pc_dir} COMPONENT throng_development)
endforeach()

if(PROJECT_IS_TOP_LEVEL)
    include(cmake/packages.cmake)
endif()
