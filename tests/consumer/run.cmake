# Builds and runs the host twice: with the library as a subdirectory, then with what that installs.
cmake_minimum_required(VERSION 3.22)

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${command}\n${output}")
    endif()
endfunction()

set(shared OFF)
if(KIND STREQUAL "shared")
    set(shared ON)
endif()
# None has no optimisation, kernels included, and so builds fastest.
set(configure ${CMAKE_COMMAND} -G ${GENERATOR} -S ${CMAKE_CURRENT_LIST_DIR}
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=None -DTHRONG_TBB=${TBB})

run(${configure} -B ${SCRATCH}/subdirectory -DTHRONG_SOURCE_DIR=${THRONG} -DTHRONG_INSTALL=ON
    -DBUILD_SHARED_LIBS=${shared})
run(${CMAKE_COMMAND} --build ${SCRATCH}/subdirectory)
run(${SCRATCH}/subdirectory/consumer)

file(REMOVE_RECURSE ${SCRATCH}/prefix ${SCRATCH}/installed)
run(${CMAKE_COMMAND} --install ${SCRATCH}/subdirectory --prefix ${SCRATCH}/prefix)
run(${configure} -B ${SCRATCH}/installed -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix)
run(${CMAKE_COMMAND} --build ${SCRATCH}/installed)
run(${SCRATCH}/installed/consumer)
