# Shows that check_layers.cmake finds what it is for: plants each violation in SCRATCH, one at a time.
cmake_minimum_required(VERSION 3.22)

function(plant expect_failure file line)
    file(REMOVE_RECURSE ${SCRATCH})
    file(WRITE ${SCRATCH}/simd/isa.hpp "#include <cstdint>\n")
    file(WRITE ${SCRATCH}/simd/arch.hpp "#include <xsimd/xsimd.hpp>\n")
    file(WRITE ${SCRATCH}/engine/row_grid.hpp "#include \"../simd/isa.hpp\"\n")
    file(WRITE ${SCRATCH}/engine/row_grid.cpp "#include \"row_grid.hpp\"\n")
    file(WRITE ${SCRATCH}/engine/row_store.hpp "#include <vector>\n")
    file(WRITE ${SCRATCH}/parallel/tbb_executor.hpp "#include \"../engine/row_grid.hpp\"\n")
    file(WRITE ${SCRATCH}/parallel/tbb_executor.cpp "#include <oneapi/tbb/parallel_for.h>\n")
    file(APPEND ${SCRATCH}/${file} "${line}\n")
    execute_process(
        COMMAND ${CMAKE_COMMAND} -DROOT=${SCRATCH}
                -DHEADERS=simd/isa.hpp,engine/row_grid.hpp,parallel/tbb_executor.hpp
                -P ${CMAKE_CURRENT_LIST_DIR}/check_layers.cmake
        RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
    if(expect_failure AND result EQUAL 0)
        message(SEND_ERROR "not noticed: ${line} in ${file}")
    elseif(NOT expect_failure AND NOT result EQUAL 0)
        message(SEND_ERROR "wrongly refused: ${line} in ${file}")
    endif()
endfunction()

plant(NO engine/row_grid.cpp "#include <vector>")
plant(YES simd/isa.hpp "#include \"../engine/row_grid.hpp\"")
plant(YES simd/arch.hpp "#include <throng/parallel/tbb_executor.hpp>")
plant(YES simd/arch.hpp "# include <tbb/tbb.h>")
plant(YES engine/row_grid.cpp "#include \"../parallel/tbb_executor.hpp\"")
plant(YES engine/row_grid.cpp "#include <oneapi/tbb.h>")
plant(YES engine/row_grid.cpp "#include <xsimd/xsimd.hpp>")
plant(YES engine/row_grid.cpp "#include \"../simd/arch.hpp\"")
plant(YES parallel/tbb_executor.hpp "#include <oneapi/tbb/task_arena.h>")
plant(YES engine/row_grid.hpp "#include \"row_store.hpp\"")
file(REMOVE_RECURSE ${SCRATCH})
