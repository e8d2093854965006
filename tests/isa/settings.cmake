# Lists of instruction sets that CMake refuses, with the names that it takes: cmake -DTHRONG=<sources> -DSCRATCH=<folder>
# -DCOMPILER=<C++ compiler> -P settings.cmake
function(refused isas sentence)
    file(REMOVE_RECURSE ${SCRATCH})
    execute_process(COMMAND ${CMAKE_COMMAND} -S ${THRONG} -B ${SCRATCH} -DCMAKE_CXX_COMPILER=${COMPILER} "-DTHRONG_ISAS=${isas}"
        -DTHRONG_BUILD_TESTS=OFF -DTHRONG_BUILD_DEMO=OFF ${ARGN} RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE said)
    string(REGEX REPLACE "[ \n]+" " " said "${said}")
    if(NOT failed)
        message(FATAL_ERROR "THRONG_ISAS=${isas} is taken")
    elseif(NOT said MATCHES "${sentence}")
        message(FATAL_ERROR "THRONG_ISAS=${isas}: no '${sentence}' in: ${said}")
    endif()
endfunction()
refused("avx3" "THRONG_ISAS is \"avx3\": this kind of processor has scalar, ")
refused("avx2;AVX512" "THRONG_ISAS is \"avx2;AVX512\": this kind of processor has scalar, ")
refused("" "THRONG_ISAS is \"\": this kind of processor has scalar, ")
refused("native" "native asks this machine, which the library is not built for: name some of scalar, "
    -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=x86_64)
# As a compiler that does not know the flags.
refused("avx2" "has no avx2; name others of scalar, " -DTHRONG_COMPILER_HAS_Avx2=OFF -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=x86_64)
file(REMOVE_RECURSE ${SCRATCH})
