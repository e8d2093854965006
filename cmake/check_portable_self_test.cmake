# Shows that check_portable.cmake finds violations: plants each kind in SCRATCH, one at a time.
cmake_minimum_required(VERSION 3.22)

function(plant expect_failure file line)
    file(REMOVE_RECURSE ${SCRATCH})
    file(WRITE ${SCRATCH}/engine/crowd.hpp "struct [[nodiscard]] Crowd {};\n")
    file(APPEND ${SCRATCH}/${file} "${line}\n")
    execute_process(
        COMMAND ${CMAKE_COMMAND} -DROOT=${SCRATCH} -DHEADERS=${file} -P ${CMAKE_CURRENT_LIST_DIR}/check_portable.cmake
        RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
    if(expect_failure AND result EQUAL 0)
        message(SEND_ERROR "not noticed: ${line} in ${file}")
    elseif(NOT expect_failure AND NOT result EQUAL 0)
        message(SEND_ERROR "wrongly refused: ${line} in ${file}")
    endif()
endfunction()

plant(NO engine/crowd.hpp "[[nodiscard]] THRONG_INLINE int size() noexcept; // not [[gnu::pure]]")
plant(NO simd/isa/compiler.hpp "#define THRONG_INLINE [[gnu::always_inline]]")
plant(NO engine/crowd.hpp "int assembly_of(int typeof_agent);")
plant(YES engine/crowd.hpp "[[gnu::always_inline]] inline int size() noexcept;")
plant(YES engine/crowd.hpp "int size() __attribute__((pure));")
plant(YES engine/crowd.hpp "return __builtin_popcount(bits);")
plant(YES engine/crowd.hpp "#if __has_attribute(retain)")
plant(YES engine/crowd.hpp "#if defined(__GNUC__)")
plant(YES engine/crowd.hpp "#ifdef _WIN32")
plant(YES engine/crowd.hpp "float* __restrict to;")
plant(YES engine/crowd.hpp "asm volatile(\"nop\")")
