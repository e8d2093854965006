# throng_ranks: crowds over ranks, which are threads of the program, or those of an MPI job. docs/distributed.md. Tests
# of MPI run it, too.
include_guard(GLOBAL)
file(GLOB ranks_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)

# throng_add_ranks(<name> <library>...)
function(throng_add_ranks name)
    add_executable(${name} ${ranks_sources})
    throng_compile_together(${name})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
    target_link_libraries(${name} PRIVATE throng_flags throng_test_support ${ARGN})
    if(THRONG_MPI)
        target_compile_definitions(${name} PRIVATE THRONG_BENCH_HAS_MPI)
    endif()
endfunction()

throng_add_ranks(throng_ranks throng_whole)
if(THRONG_MPI)
    target_link_libraries(throng_ranks PRIVATE throng_mpi)
    # And one for each MPI that is here.
    foreach(mpi IN LISTS THRONG_MPIS)
        throng_add_ranks(throng_ranks_${mpi} throng_mpi_${mpi})
    endforeach()
endif()
