# The programs of docs/job-systems.md: each says what the one without threads says, and has no more
# threads than it was told.
set(examples ${PROJECT_SOURCE_DIR}/examples/hosts)
set(hosts work_stealing fibers)
if(NOT "tbb" IN_LIST lacking)
    list(APPEND hosts tbb_arena)
endif()
if(NOT "openmp" IN_LIST lacking)
    list(APPEND hosts openmp)
endif()

# throng_add_host(<name> <source>): what the host says of threads is said by what is preloaded.
function(throng_add_host name source)
    add_executable(throng_host_${name} ${source})
    target_link_libraries(throng_host_${name} PRIVATE throng_flags throng_whole)
    add_test(NAME examples.hosts.${name}
        COMMAND ${PROJECT_SOURCE_DIR}/tests/hosts/run $<TARGET_FILE:throng_thread_counter>
                $<TARGET_FILE:throng_host_no_threads> $<TARGET_FILE:throng_host_${name}>)
    set_tests_properties(examples.hosts.${name} PROPERTIES TIMEOUT 120)
endfunction()

add_library(throng_thread_counter MODULE hosts/thread_counter.cpp)
target_link_libraries(throng_thread_counter PRIVATE throng_developer_flags ${CMAKE_DL_LIBS})
add_executable(throng_host_no_threads ${examples}/no_threads.cpp)
target_link_libraries(throng_host_no_threads PRIVATE throng_flags throng_whole)
add_test(NAME examples.hosts.no_threads COMMAND throng_host_no_threads)
set_tests_properties(examples.hosts.no_threads PROPERTIES
    PASS_REGULAR_EXPRESSION "^answers af44b3295aeb95f6\n$")
foreach(host IN LISTS hosts)
    throng_add_host(${host} ${examples}/${host}.cpp)
endforeach()
if(TARGET throng_host_tbb_arena)
    target_link_libraries(throng_host_tbb_arena PRIVATE TBB::tbb)
endif()
if(TARGET throng_host_openmp)
    target_link_libraries(throng_host_openmp PRIVATE OpenMP::OpenMP_CXX)
endif()

throng_add_host(self_test hosts/planted/host.cpp)
set_tests_properties(examples.hosts.self_test PROPERTIES PASS_REGULAR_EXPRESSION
    "2 of 1 threads.*without threads it is.*started too many: 2 threads, and may have 1")
