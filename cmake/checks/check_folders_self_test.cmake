# Shows that check_folders.cmake finds a folder with a file too many, wherever it is.
cmake_minimum_required(VERSION 3.22)

# check(<whether it must fail> <folder> <files in it>)
function(check expect_failure folder count)
    file(REMOVE_RECURSE ${SCRATCH})
    file(WRITE ${SCRATCH}/README.md "")
    foreach(file RANGE 1 ${count})
        file(WRITE ${SCRATCH}/${folder}/${file}.hpp "")
    endforeach()
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${SCRATCH} -P ${CMAKE_CURRENT_LIST_DIR}/check_folders.cmake
        RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    if(expect_failure AND status EQUAL 0)
        message(SEND_ERROR "not noticed: ${count} files in ${folder}")
    elseif(NOT expect_failure AND NOT status EQUAL 0)
        message(SEND_ERROR "wrongly refused: ${count} files in ${folder}")
    endif()
endfunction()

check(NO demo/view 32)
check(YES demo/view 33)
check(YES demo 33)
check(NO . 31) # and README.md
check(YES . 32)
check(YES .ci 33)
check(NO build/release 33)
check(NO tests/fuzz/corpus/edits 33)
check(YES tests/fuzz 33)
file(REMOVE_RECURSE ${SCRATCH})
