# The programs of docs/job-systems.md: each prints what the one without threads prints, and has no more threads
# than it was told.
set(examples ${PROJECT_SOURCE_DIR}/examples/hosts)
set(hosts work_stealing)
if(NOT "tbb" IN_LIST lacking)
    list(APPEND hosts tbb_arena)
endif()
if(NOT "openmp" IN_LIST lacking)
    list(APPEND hosts openmp)
endif()
# Sanitizers start threads in a way of their own, so there is nothing to count, and know nothing of
# stacks that they were not told of.
set(counter none)
if(NOT THRONG_SANITIZE)
    list(APPEND hosts fibers)
    add_library(throng_thread_counter MODULE hosts/thread_counter.cpp)
    target_link_libraries(throng_thread_counter PRIVATE throng_developer_flags ${CMAKE_DL_LIBS})
    set(counter $<TARGET_FILE:throng_thread_counter>)
endif()

function(throng_add_host name source)
    add_executable(throng_host_${name} ${source})
    target_link_libraries(throng_host_${name} PRIVATE throng_flags throng_whole)
endfunction()
set(run ${PROJECT_SOURCE_DIR}/tests/hosts/run ${counter} $<TARGET_FILE:throng_host_no_threads>)

throng_add_host(no_threads ${examples}/no_threads.cpp)
add_test(NAME examples.hosts.no_threads COMMAND throng_host_no_threads)
set_tests_properties(examples.hosts.no_threads PROPERTIES
    PASS_REGULAR_EXPRESSION "^answers af44b3295aeb95f6\n$")
foreach(host IN LISTS hosts)
    throng_add_host(${host} ${examples}/${host}.cpp)
    add_test(NAME examples.hosts.${host} COMMAND ${run} $<TARGET_FILE:throng_host_${host}>)
    set_tests_properties(examples.hosts.${host} PROPERTIES TIMEOUT 1000)
endforeach()
if(TARGET throng_host_tbb_arena)
    target_link_libraries(throng_host_tbb_arena PRIVATE TBB::tbb)
endif()
if(TARGET throng_host_openmp)
    target_link_libraries(throng_host_openmp PRIVATE OpenMP::OpenMP_CXX)
endif()

if(THRONG_SANITIZE)
    return()
endif()
# Without a mistake it passes, so the mistake is the reason of the refusal. CTest checks the text or the exit
# status, not both, so the status is made part of the text.
throng_add_host(planted hosts/planted/host.cpp)
add_test(NAME examples.hosts.planted COMMAND ${run} $<TARGET_FILE:throng_host_planted>)
foreach(mistake many lost idle)
    add_test(NAME examples.hosts.planted.${mistake}
        COMMAND bash -c "\"$@\" || echo refused" _
                ${run} $<TARGET_FILE:throng_host_planted> ${mistake})
endforeach()
set_tests_properties(examples.hosts.planted.many PROPERTIES PASS_REGULAR_EXPRESSION
    "started too many: 2 threads, and may have 1\n.*refused\n$")
set_tests_properties(examples.hosts.planted.lost PROPERTIES PASS_REGULAR_EXPRESSION
    "without threads it is: .*refused\n$")
set_tests_properties(examples.hosts.planted.idle PROPERTIES PASS_REGULAR_EXPRESSION
    "has started no thread\n.*refused\n$")
