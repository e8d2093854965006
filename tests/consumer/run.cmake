# Builds and runs the host: with the library as a subdirectory, then with what that installs; shared,
# static, and without oneTBB. All in one folder, so that most is compiled once.
cmake_minimum_required(VERSION 3.22)

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${command}\n${output}")
    endif()
endfunction()

# None has no optimisation, kernels included, and so builds fastest. It has assertions.
set(configure ${CMAKE_COMMAND} -G ${GENERATOR} -S ${CMAKE_CURRENT_LIST_DIR}
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=None)

function(check_host shared tbb)
    set(subdirectory ${SCRATCH}/subdirectory)
    run(${configure} -B ${subdirectory} -DTHRONG_SOURCE_DIR=${THRONG} -DTHRONG_INSTALL=ON
        -DBUILD_SHARED_LIBS=${shared} -DTHRONG_TBB=${tbb})
    run(${CMAKE_COMMAND} --build ${subdirectory} --parallel)
    run(${subdirectory}/consumer)
    run(${subdirectory}/consumer_fused)
    if(NOT tbb AND NOT shared)
        execute_process(COMMAND ${NM} -C ${subdirectory}/throng/libthrong.a
            OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
        string(TOLOWER "${symbols}" symbols)
        if(NOT symbols MATCHES "throng::rowgrid" OR symbols MATCHES "tbb")
            message(FATAL_ERROR "symbols of oneTBB in a library without it, or no symbols at all")
        endif()
    endif()

    file(REMOVE_RECURSE ${SCRATCH}/prefix ${SCRATCH}/installed)
    run(${CMAKE_COMMAND} --install ${subdirectory} --prefix ${SCRATCH}/prefix)
    run(${configure} -B ${SCRATCH}/installed -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix -DTHRONG_TBB=${tbb})
    run(${CMAKE_COMMAND} --build ${SCRATCH}/installed)
    run(${SCRATCH}/installed/consumer)
    run(${SCRATCH}/installed/consumer_fused)
endfunction()

check_host(ON ${TBB})
if(TBB)
    check_host(OFF ON)
endif()
check_host(OFF OFF)
