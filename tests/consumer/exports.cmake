# The symbols that a shared library of ours may export: names of namespace throng and of the C API, and the weak
# symbols that templates of the standard library leave in every library.

# find_strangers(<library> <variable>): the exports that should not be there. <variable>_own: the number of others.
function(find_strangers library variable)
    execute_process(COMMAND ${NM} -DC --defined-only ${library} OUTPUT_VARIABLE symbols
        COMMAND_ERROR_IS_FATAL ANY)
    # Without arguments, also of templates, so that the scope of each name remains.
    string(REGEX REPLACE "operator(\\(\\)|[^A-Za-z0-9_ (\n]+)" "operator" symbols "${symbols}")
    string(REGEX REPLACE "[][;]" "," symbols "${symbols}")
    set(before "")
    while(NOT symbols STREQUAL before)
        set(before "${symbols}")
        string(REGEX REPLACE "<[^<>()\n]*>|\\([^<>()\n]*\\)" "" symbols "${symbols}")
    endwhile()
    string(STRIP "${symbols}" symbols)
    string(REPLACE "\n" ";" symbols "${symbols}")

    # A function or class; a member of a class; the hidden half of a public template.
    set(class "[A-Z][A-Za-z0-9]*")
    set(public "throng::([~A-Za-z0-9_]+|${class}::[~A-Za-z0-9_]+|detail::(SnapshotCore::)?[~A-Za-z0-9_]+)")
    set(strangers "")
    set(own 0)
    foreach(symbol IN LISTS symbols)
        string(REGEX REPLACE "^[0-9a-f]* *([A-Za-z]) " "" name "${symbol}")
        set(kind ${CMAKE_MATCH_1})
        if(name MATCHES "^throng_[a-z0-9_]+$" OR name MATCHES "(^| )${public}(,abi:cxx11,)?( const)?$")
            math(EXPR own "${own} + 1")
        elseif(name MATCHES "throng" OR NOT kind MATCHES "[VWu]")
            list(APPEND strangers "${name}")
        endif()
    endforeach()
    set(${variable} "${strangers}" PARENT_SCOPE)
    set(${variable}_own ${own} PARENT_SCOPE)
endfunction()

function(check_exports library least)
    find_strangers(${library} strangers)
    if(strangers)
        list(JOIN strangers "\n  " strangers)
        message(FATAL_ERROR "${library} shows what is inside, or not its own:\n  ${strangers}")
    elseif(strangers_own LESS least)
        message(FATAL_ERROR "${library} shows next to nothing: ${strangers_own} symbols")
    endif()
endfunction()

# A library with one mistake of each kind, to show that they are noticed.
function(check_that_strangers_are_seen compiler scratch)
    run(${compiler} -std=c++20 -shared -fPIC ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/strangers.cpp
        -o ${scratch}/strangers.so)
    find_strangers(${scratch}/strangers.so strangers)
    list(SORT strangers)
    set(expected helper kernel throng::Crowd::State::forget throng::simd::find)
    if(NOT strangers STREQUAL expected OR NOT strangers_own EQUAL 3)
        message(FATAL_ERROR "strangers are taken for others: ${strangers}; own: ${strangers_own}")
    endif()
endfunction()
