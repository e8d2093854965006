# MpiRanks under every MPI of this machine: `ctest -R mpi`.
if(NOT THRONG_MPI)
    throng_lacks(mpi.not_built "mpi (Debian: libopenmpi-dev or libmpich-dev; and -DTHRONG_MPI=ON)")
    return()
endif()

# throng_add_mpi_test(<mpi> <program> <case>): a part of tests/distributed/mpi/run. Jobs have more ranks than there are
# processors, and so run alone.
function(throng_add_mpi_test mpi program case)
    add_test(NAME mpi.${mpi}.${case} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/distributed/mpi/run ${mpi}
        ${THRONG_MPIRUN_${mpi}} $<TARGET_FILE:${program}> ${case})
    set_tests_properties(mpi.${mpi}.${case} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${timeout} RUN_SERIAL ON
        ENVIRONMENT "THRONG_RESULTS=${results};THRONG_TEST_NAME=mpi.${mpi}.${case}")
endfunction()

include(${PROJECT_SOURCE_DIR}/bench/distributed/ranks.cmake)
foreach(mpi IN LISTS THRONG_MPIS)
    set(program throng_mpi_tests_${mpi})
    add_executable(${program} distributed/mpi/crowd_test.cpp distributed/mpi/failing_mpi.cpp distributed/mpi/main.cpp
        distributed/mpi/seam_test.cpp ${allocation_counter})
    target_compile_options(${program} PRIVATE $<$<NOT:$<CONFIG:Debug,Determinism>>:-O1>)
    target_link_libraries(${program} PRIVATE throng_flags throng_test_flags throng_library_first throng_mpi_${mpi}
        throng_test_support throng_whole GTest::gtest)
    foreach(case IN ITEMS ranks killed silent)
        throng_add_mpi_test(${mpi} ${program} ${case})
    endforeach()
    throng_add_mpi_test(${mpi} throng_ranks_${mpi} kill)
    if(NOT mpi STREQUAL "openmpi" AND "openmpi" IN_LIST THRONG_MPIS)
        # The same once more, one at a time, and built for that.
        foreach(case IN ITEMS ranks killed silent kill)
            throng_for_all(mpi.${mpi}.${case})
            set_property(TEST mpi.${mpi}.${case} APPEND PROPERTY LABELS apart)
        endforeach()
        set_target_properties(${program} throng_ranks_${mpi} PROPERTIES EXCLUDE_FROM_ALL ON)
        add_dependencies(throng_all_tests ${program} throng_ranks_${mpi})
    endif()
    # valgrind's wrapper, and the way into other hosts, are for Open MPI.
    if(mpi STREQUAL "openmpi" AND NOT THRONG_SANITIZE)
        throng_add_mpi_test(${mpi} ${program} valgrind)
        throng_for_all(mpi.${mpi}.valgrind)
        throng_add_mpi_test(${mpi} ${program} hosts)
    endif()
endforeach()
# Zoltan is for one MPI, the one that CMake finds.
if(THRONG_ZOLTAN)
    add_executable(throng_zoltan_tests distributed/mpi/main.cpp distributed/mpi/zoltan_cuts_test.cpp)
    target_compile_options(throng_zoltan_tests PRIVATE $<$<NOT:$<CONFIG:Debug,Determinism>>:-O1>)
    target_link_libraries(throng_zoltan_tests PRIVATE throng_flags throng_test_flags throng_library_first throng_zoltan
        throng_mpi throng_test_support throng_whole GTest::gtest)
    list(GET THRONG_MPIS 0 mpi)
    add_test(NAME mpi.zoltan COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/distributed/mpi/run ${mpi} ${MPIEXEC_EXECUTABLE}
        $<TARGET_FILE:throng_zoltan_tests> zoltan)
    set_tests_properties(mpi.zoltan PROPERTIES TIMEOUT ${timeout} RUN_SERIAL ON
        ENVIRONMENT "THRONG_RESULTS=${results};THRONG_TEST_NAME=mpi.zoltan")
else()
    throng_lacks(mpi.zoltan "zoltan (Debian: libtrilinos-zoltan-dev; and -DTHRONG_ZOLTAN=ON)")
endif()
add_executable(throng_readme_mpi readme/mpi.cpp)
target_link_libraries(throng_readme_mpi PRIVATE throng_flags throng_mpi)
throng_add_output_test(mpi.readme "^2 agents on 2 ranks: nothing is wrong\n$"
    COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 2 $<TARGET_FILE:throng_readme_mpi>)
set_tests_properties(mpi.readme PROPERTIES
    ENVIRONMENT "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1")
add_test(NAME mpi.calls COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DLIBRARY=$<TARGET_FILE:throng_mpi>
    -P ${CMAKE_CURRENT_SOURCE_DIR}/distributed/mpi/calls.cmake)
