# Fails where a file of simd/ or fused/ under ROOT uses xsimd, or an intrinsic, by itself: names and
# their meaning change from one version of xsimd to the next, and no machine has all versions. The files
# that may are simd/isa/arch.hpp, for instruction sets, simd/isa/vectors.hpp and four_lanes.hpp, for types, and
# simd/isa/lanes.hpp and packed_lanes.hpp, for all else. Operators, load_unaligned() and store_unaligned() are the same
# in all versions.
cmake_minimum_required(VERSION 3.22)

set(may simd/isa/arch.hpp simd/isa/vectors.hpp simd/isa/four_lanes.hpp simd/isa/lanes.hpp simd/isa/packed_lanes.hpp)
# xsimd's functions on vectors, which are found by the types of their arguments if they are not qualified.
# Left out are names that kernels use for functions of their own, such as add and clip.
string(CONCAT functions
    "abs|fabs|min|max|fmin|fmax|sqrt|rsqrt|reciprocal|neg|sign|copysign|fdim|fmod|"
    "fma|fms|fnma|fnms|mul|div|sadd|ssub|incr|decr|incr_if|decr_if|avg|avgr|"
    "ceil|floor|trunc|round|rint|nearbyint|nearbyint_as_int|to_int|to_float|"
    "batch_cast|batch_bool_cast|bitwise_[a-z]+|rotl|rotr|bitofsign|"
    "select|any|all|none|isnan|isinf|isfinite|hadd|haddp|reduce|reduce_[a-z]+|"
    "swizzle|shuffle|slide_left|slide_right|rotate_left|rotate_right|zip_lo|zip_hi|"
    "compress|expand|extract_pair|broadcast|broadcast_as|"
    "load_as|load_aligned|load_unaligned|store_as|store_aligned|store_unaligned|eq|neq|lt|le|gt|ge")
# Members of its vectors, except those that OneLane has too.
set(members "get|mask|from_mask|broadcast|load_aligned|store_aligned|load|store")

file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/simd/* ${ROOT}/fused/*)
if(NOT files)
    message(FATAL_ERROR "no sources under ${ROOT}")
endif()
list(REMOVE_ITEM files ${may})
foreach(file IN LISTS files)
    file(READ ${ROOT}/${file} text)
    # Brackets and semicolons would confuse CMake's lists.
    string(REGEX REPLACE "[][;]" " " text "${text}")
    string(REGEX REPLACE "//[^\n]*" "" text "${text}")
    string(REGEX REPLACE "\\([ \t\n]+" "(" text "${text}") # a call goes on in the next line
    string(REGEX REPLACE "[ \t]*\n[ \t]*" ";" lines "${text}")
    foreach(line IN LISTS lines)
        # A declaration of ours, as its first parameter is const.
        string(REGEX REPLACE "[a-z_]+\\(const " "" code " ${line}")
        if(code MATCHES "(^|[^A-Za-z0-9_])xsimd([^A-Za-z0-9_]|$)")
            message(SEND_ERROR "${file} uses xsimd: ${line}")
        elseif(code MATCHES "(^|[^A-Za-z0-9_:.>])(${functions})\\([^)]")
            message(SEND_ERROR "${file} calls xsimd's ${CMAKE_MATCH_2}(): ${line}")
        elseif(code MATCHES "(\\.|::)(${members})\\([^)]")
            message(SEND_ERROR "${file} calls xsimd's ${CMAKE_MATCH_2}(): ${line}")
        elseif(code MATCHES "_mm[0-9]*_|__m(mask|128|256|512)|immintrin|arm_neon|wasm_[iuf][0-9]|wasm_v128|v128_t|[^A-Za-z0-9_]v[a-z0-9]+q_[a-z]")
            message(SEND_ERROR "${file} uses an intrinsic: ${line}")
        endif()
    endforeach()
endforeach()
