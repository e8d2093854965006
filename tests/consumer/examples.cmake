# The examples that newcomers copy: a copy of each folder is configured, built and run with an installed library, as its
# reader would. Run as a script, this file takes what installed.cmake takes. The one in Python is a test of python/'s.
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/installed.cmake)

# check_example(<folder> <program> <what it prints> <prefix> <scratch folder>)
function(check_example folder program expected prefix scratch)
    file(REMOVE_RECURSE ${scratch}/${folder})
    file(COPY ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../examples/${folder} DESTINATION ${scratch})
    run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${scratch}/${folder} -B ${scratch}/${folder}/build -DCMAKE_BUILD_TYPE=Release
        -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${prefix} --no-warn-unused-cli)
    run(${CMAKE_COMMAND} --build ${scratch}/${folder}/build)
    run(${scratch}/${folder}/build/${program})
    if(NOT run_output MATCHES "${expected}")
        message(FATAL_ERROR "examples/${folder} prints\n${run_output}and should print\n${expected}")
    endif()
endfunction()

# check_examples(<prefix> <scratch folder> <tbb>)
function(check_examples prefix scratch tbb)
    check_example(hello hello "^13 agents are near: [0-9 ]+\n$" ${prefix} ${scratch})
    check_example(avoid avoid "\nin the end 0[.]7 from one to the next, 0[.]3 to a wall\n$" ${prefix} ${scratch})
    check_example(fluid fluid "^density 2[.]4863 on average, 0 drops differ from the plain loop\n$" ${prefix} ${scratch})
    check_example(periodic_fluid periodic_fluid "^200 steps, [0-9]+ ns a drop and step
density 1[.]01[0-9] on average, 0 are not those of plain loops\nmomentum 1[.]000000 0[.]500000, energy 0[.]86[0-9]\n$"
        ${prefix} ${scratch})
    check_example(c in_c "^13 and 6 agents are near\nagent 0 has 100 and 1 beside it, of 39600 in all\n$" ${prefix} ${scratch})
    if(tbb)
        check_example(jobs jobs "^1193504 neighbours, alike in jobs and alone\n$" ${prefix} ${scratch})
    endif()
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
    run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/prefix)
    check_examples(${SCRATCH}/prefix ${SCRATCH} ${TBB})
endif()
