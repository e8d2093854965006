# Install rules, and what find_package(throng) reads.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/throng)

install(TARGETS throng EXPORT throng)
foreach(header IN LISTS THRONG_PUBLIC_HEADERS THRONG_FUSED_HEADERS)
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/throng/${folder})
endforeach()
install(EXPORT throng NAMESPACE throng:: FILE targets.cmake DESTINATION ${package_dir})

configure_package_config_file(cmake/config.cmake.in ${PROJECT_BINARY_DIR}/throng-config.cmake
    INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/throng-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/throng-config.cmake
    ${PROJECT_BINARY_DIR}/throng-config-version.cmake DESTINATION ${package_dir})
