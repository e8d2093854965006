# Tests of several threads at once, mainly for ThreadSanitizer; they run everywhere.
set(threads_common ${CMAKE_CURRENT_LIST_DIR}/crews.cpp ${CMAKE_CURRENT_LIST_DIR}/tbb_host.cpp)
throng_hide_tbb_from_thread_sanitizer(${CMAKE_CURRENT_LIST_DIR}/tbb_host.cpp)
throng_add_tests(threads LIBRARIES TBB::tbb)
target_sources(throng_threads_tests PRIVATE ${threads_common})
# TBB's headers come before it, in a file that must see nothing of the sanitizer.
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/tbb_host.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)

if(NOT THRONG_SANITIZE MATCHES "thread")
    return()
endif()

# Set here, so that no report is silenced from outside. One is enough to fail: exit code 66. The
# symbolizer that the sanitizer would look for comes in a package of its own; another will do.
set(threads_options "TSAN_OPTIONS=halt_on_error=0:exitcode=66")
find_program(THRONG_SYMBOLIZER NAMES llvm-symbolizer-19 llvm-symbolizer llvm-symbolizer-14)
mark_as_advanced(THRONG_SYMBOLIZER)
if(THRONG_SYMBOLIZER)
    string(APPEND threads_options ":external_symbolizer_path=${THRONG_SYMBOLIZER}")
endif()
foreach(isa IN LISTS isas)
    set_property(TEST parallel.${isa} threads.${isa}
        APPEND PROPERTY ENVIRONMENT ${threads_options})
    set_property(TEST threads.${isa} PROPERTY COST 1000) # begins first
endforeach()

# Each passes only if the race is found. The first report ends the program, since anything can happen after a
# race.
list(GET isas -1 isa)
add_executable(throng_planted_races threads/planted/races.cpp ${threads_common})
target_link_libraries(throng_planted_races PRIVATE throng_flags throng_test_support throng_whole
    throng_xsimd TBB::tbb)
set(planted_environment "TSAN_OPTIONS=halt_on_error=1:exitcode=66:symbolize=0")
if(NOT isa STREQUAL "native")
    list(APPEND planted_environment THRONG_FORCE_ISA=${isa})
endif()
set(races query_during_update query_during_insert query_during_pool_update query_during_reserve two_updates
    shared_hits shared_total shared_word early_summary no_fork no_join no_join_of_few)
foreach(race IN LISTS races)
    throng_add_output_test(threads.planted.${race} "WARNING: ThreadSanitizer: data race" CODE 66 SKIPPABLE
        COMMAND throng_planted_races ${race})
endforeach()
add_test(NAME threads.planted.none COMMAND throng_planted_races none)
set_tests_properties(threads.planted.none PROPERTIES SKIP_RETURN_CODE 77)
foreach(race IN LISTS races ITEMS none)
    set_tests_properties(threads.planted.${race} PROPERTIES ENVIRONMENT "${planted_environment}" TIMEOUT 100)
endforeach()

# Files that go without the sanitizer must not hide races of others.
set(threads_objects ${core_objects} ${family_objects}
    $<TARGET_OBJECTS:throng_test_support> $<TARGET_OBJECTS:throng_test_main> $<TARGET_OBJECTS:throng_threads_tests>
    $<TARGET_OBJECTS:throng_planted_races>)
set(threads_list ${CMAKE_CURRENT_BINARY_DIR}/threads_objects.txt)
file(GENERATE OUTPUT ${threads_list} CONTENT "$<JOIN:${threads_objects},\n>\n")
add_test(NAME threads.uninstrumented
    COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DLIST=${threads_list}
            "-DHIDDEN=/(tbb_executor|tbb_host)\\.cpp" -P
            ${PROJECT_SOURCE_DIR}/cmake/checks/check_uninstrumented.cmake)
