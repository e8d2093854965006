# Builds the library for hosts in every other way: shared and by itself, then as a subdirectory, as
# FetchContent has it, and without oneTBB. In as few folders as possible, so that most is compiled once.
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/installed.cmake)

set(FAMILY ON)
# The configuration None has no optimisation, not even of kernels, and so builds fastest. It has assertions.
# Kernels of one instruction set are enough to link and run.
set(configure ${CMAKE_COMMAND} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=None -DTHRONG_ISAS=native)

set(shared ${SCRATCH}/shared)
file(REMOVE ${shared}/CMakeCache.txt)
# With the prefix of Debian's own packages, whose libraries lie in a folder for each processor.
run(${configure} -S ${THRONG} -B ${shared} -DBUILD_SHARED_LIBS=ON -DTHRONG_TBB=${TBB} -DTHRONG_MPI=${MPI} -DTHRONG_ZOLTAN=${ZOLTAN}
    -DTHRONG_BUILD_TESTS=OFF -DTHRONG_BUILD_DEMO=OFF -DCMAKE_INSTALL_PREFIX=/usr)
run(${CMAKE_COMMAND} --build ${shared} --parallel)
file(STRINGS ${shared}/CMakeCache.txt libdir REGEX "^CMAKE_INSTALL_LIBDIR:")
string(REGEX REPLACE "^[^=]*=" "" libdir "${libdir}")
check_installed(${shared} ${SCRATCH}/of_shared ON ${TBB} ${libdir})
execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/debian.sh ${shared} ${SCRATCH}/debian ${COMPILER} 1 ${MPI} ${ZOLTAN}
    RESULT_VARIABLE result)
if(NOT result MATCHES "^(0|77)$") # 77: there is no dpkg
    message(FATAL_ERROR "packages for Debian: ${result}")
endif()

# As on systems with a folder for each kind of file.
set(apart ${SCRATCH}/apart)
run(${configure} -S ${THRONG} -B ${apart} -DTHRONG_BUILD_TESTS=OFF -DTHRONG_BUILD_DEMO=OFF -DTHRONG_TBB=OFF
    -DCMAKE_INSTALL_LIBDIR=/libraries/throng -DCMAKE_INSTALL_INCLUDEDIR=/headers/throng)
if(PKG_CONFIG)
    run(${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${apart} ${PKG_CONFIG} --cflags --libs throng)
    if(NOT run_output MATCHES "^-I/headers/throng -L/libraries/throng -lthrong *\n")
        message(FATAL_ERROR "folders apart: ${run_output}")
    endif()
endif()

# As in a game, with flags for all targets that the library undoes for its own files. The consumers check that:
# with fast-math in the library, NaN would not be refused.
list(APPEND configure "-DCMAKE_CXX_FLAGS=-ffast-math -fno-exceptions -fno-rtti" -DCMAKE_UNITY_BUILD=ON)
set(host ${SCRATCH}/host)
foreach(way IN ITEMS subdirectory fetch)
    file(REMOVE ${host}/CMakeCache.txt) # an existing cache would hide new entries
    run(${configure} -S ${CMAKE_CURRENT_LIST_DIR} -B ${host} -DWAY=${way} -DTHRONG_SOURCE_DIR=${THRONG}
        -DTHRONG_TBB=${TBB} -DTHRONG_INSTALL=OFF)
    run(${CMAKE_COMMAND} --build ${host} --parallel)
    foreach(program IN ITEMS consumer consumer_fused consumer_plain consumer_c)
        run(${host}/${program})
    endforeach()
    check_plugin(${host}/consumer_plugin.so)
endforeach()

file(REMOVE ${host}/CMakeCache.txt)
set(MPI OFF)
set(ZOLTAN OFF)
set(ONE_COMPILER ON) # the other has linked the shared library above, and links a static one in consumer.installed
run(${configure} -S ${CMAKE_CURRENT_LIST_DIR} -B ${host} -DWAY=subdirectory -DTHRONG_SOURCE_DIR=${THRONG}
    -DTHRONG_TBB=OFF -DTHRONG_INSTALL=ON -DTHRONG_FAMILY=ON)
run(${CMAKE_COMMAND} --build ${host} --parallel)
check_installed(${host} ${SCRATCH}/of_host OFF OFF ${LIBDIR})
