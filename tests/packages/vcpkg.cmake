# Runs the port for vcpkg where vcpkg is not: with stand-ins for the functions that its portfile calls, for a release
# build without oneTBB. SCRATCH/packages is then what vcpkg would install.
cmake_minimum_required(VERSION 3.22)
set(PORT throng)
set(FEATURES core family)
set(CURRENT_PACKAGES_DIR ${SCRATCH}/packages)

function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_check_features keyword result features)
    if(NOT "${keyword};${features}" STREQUAL "OUT_FEATURE_OPTIONS;FEATURES")
        message(FATAL_ERROR "vcpkg_check_features(${keyword} ${result} ${features} ...)")
    endif()
    set(settings "")
    while(ARGN)
        list(POP_FRONT ARGN feature option)
        set(value OFF)
        if(feature IN_LIST FEATURES)
            set(value ON)
        endif()
        list(APPEND settings -D${option}=${value})
    endwhile()
    set(${result} ${settings} PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
    cmake_parse_arguments(PARSE_ARGV 0 its "" "SOURCE_PATH" "OPTIONS")
    # vcpkg warns of settings that CMake does not know; here they are errors.
    execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${its_SOURCE_PATH} -B ${SCRATCH}/build
        -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}
        -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_INSTALL_INCLUDEDIR=include ${its_OPTIONS}
        ERROR_VARIABLE warnings COMMAND_ERROR_IS_FATAL ANY)
    if(warnings MATCHES "not used by the project")
        message(FATAL_ERROR "${warnings}")
    endif()
endfunction()

function(vcpkg_cmake_install)
    run(${CMAKE_COMMAND} --build ${SCRATCH}/build --parallel ${JOBS})
    run(${CMAKE_COMMAND} --install ${SCRATCH}/build)
endfunction()

# CMake's files move to share/<port>, which is one level higher.
function(vcpkg_cmake_config_fixup keyword path)
    file(MAKE_DIRECTORY ${CURRENT_PACKAGES_DIR}/share)
    file(RENAME ${CURRENT_PACKAGES_DIR}/${path} ${CURRENT_PACKAGES_DIR}/share/${PORT})
    file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/lib/cmake)
    file(GLOB files ${CURRENT_PACKAGES_DIR}/share/${PORT}/*.cmake)
    set(step "get_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)\n")
    foreach(file IN LISTS files)
        file(READ ${file} text)
        string(REPLACE "${step}${step}${step}" "${step}${step}" text "${text}")
        string(REPLACE "/../../../\"" "/../../\"" text "${text}")
        file(WRITE ${file} "${text}")
    endforeach()
endfunction()

function(vcpkg_fixup_pkgconfig)
    file(GLOB files ${CURRENT_PACKAGES_DIR}/lib/pkgconfig/*.pc)
    if(NOT files)
        message(FATAL_ERROR "no file for pkg-config is installed")
    endif()
endfunction()

function(vcpkg_install_copyright keyword file)
    file(COPY_FILE ${file} ${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright)
endfunction()

include(${ROOT}/packaging/vcpkg/throng/portfile.cmake)
