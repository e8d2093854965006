# Every MPI of this machine, for tests and benchmarks: THRONG_MPIS has their names. Debian's are openmpi and
# mpich, side by side, with compilers mpicxx.<name>; elsewhere it is the one that CMake has found, as mpi.
#
# For each there is throng_mpi_<name>, a library like throng::mpi, and THRONG_MPIRUN_<name>, which starts jobs.
set(THRONG_MPIS "")
foreach(name IN ITEMS openmpi mpich)
    find_program(THRONG_MPICXX_${name} mpicxx.${name})
    find_program(THRONG_MPIRUN_${name} mpirun.${name})
    mark_as_advanced(THRONG_MPICXX_${name} THRONG_MPIRUN_${name})
    if(NOT THRONG_MPICXX_${name} OR NOT THRONG_MPIRUN_${name})
        continue()
    endif()
    execute_process(COMMAND ${THRONG_MPICXX_${name}} -show OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    set(folders ${flags})
    list(FILTER folders INCLUDE REGEX "^-I")
    list(TRANSFORM folders REPLACE "^-I" "")
    # Not the libraries of the C++ bindings: nothing may need them.
    list(FILTER flags INCLUDE REGEX "^-(L|lmpi$|lmpich$)")
    add_library(throng_mpi_${name} STATIC EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/distributed/mpi_ranks.cpp
        ${PROJECT_SOURCE_DIR}/c/distributed/mpi.cpp)
    target_include_directories(throng_mpi_${name} SYSTEM PUBLIC ${folders})
    target_link_libraries(throng_mpi_${name} PUBLIC ${flags})
    list(APPEND THRONG_MPIS ${name})
endforeach()
if(NOT THRONG_MPIS)
    set(THRONG_MPIS mpi)
    set(THRONG_MPIRUN_mpi ${MPIEXEC_EXECUTABLE})
    add_library(throng_mpi_mpi STATIC EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/distributed/mpi_ranks.cpp
        ${PROJECT_SOURCE_DIR}/c/distributed/mpi.cpp)
    target_link_libraries(throng_mpi_mpi PUBLIC MPI::MPI_CXX)
endif()
foreach(name IN LISTS THRONG_MPIS)
    target_include_directories(throng_mpi_${name} PUBLIC ${PROJECT_BINARY_DIR}/include)
    target_link_libraries(throng_mpi_${name} PRIVATE throng_flags PUBLIC throng_whole)
endforeach()
