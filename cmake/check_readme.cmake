# Fails if a document shows other code than what is compiled and run.
cmake_minimum_required(VERSION 3.22)

# check_shown(<language> <document> <program>...): each block of that language in the document is in one
# of the programs, to the letter.
function(check_shown language document)
    file(READ ${ROOT}/${document} text)
    set(code "")
    foreach(program IN LISTS ARGN)
        file(READ ${ROOT}/${program} lines)
        string(APPEND code "${lines}\n")
    endforeach()
    set(fence "```${language}\n")
    string(LENGTH "${fence}" fence_length)
    set(blocks 0)
    string(FIND "${text}" "${fence}" begin)
    while(NOT begin EQUAL -1)
        math(EXPR begin "${begin} + ${fence_length}")
        string(SUBSTRING "${text}" ${begin} -1 text)
        string(FIND "${text}" "```" end)
        string(SUBSTRING "${text}" 0 ${end} block)
        string(FIND "${code}" "${block}" position)
        if(position EQUAL -1)
            message(SEND_ERROR "${document} shows code that is not in ${ARGN}:\n${block}")
        endif()
        math(EXPR blocks "${blocks} + 1")
        string(SUBSTRING "${text}" ${end} -1 text)
        string(FIND "${text}" "${fence}" begin)
    endwhile()
    if(blocks EQUAL 0)
        message(SEND_ERROR "${document} shows nothing of ${ARGN}")
    endif()
endfunction()

check_shown(cpp README.md tests/readme/example.cpp)
check_shown(cpp docs/threads.md tests/readme/threads.cpp)
check_shown(cpp docs/snapshots.md tests/readme/snapshots.cpp)
check_shown(cpp docs/fused.md tests/readme/fused.cpp)
check_shown(cpp docs/memory.md tests/readme/memory.cpp)
check_shown(cpp docs/job-systems.md tests/readme/threads.cpp
    examples/hosts/tbb_arena.cpp examples/hosts/openmp.cpp
    examples/hosts/work_stealing.cpp examples/hosts/stealing_pool.hpp examples/hosts/fibers.cpp
    examples/hosts/fibers.hpp)
check_shown(cpp docs/embedding.md tests/readme/embedding.cpp examples/hosts/tbb_arena.cpp
    examples/hosts/stealing_pool.hpp examples/hosts/work_stealing.cpp)
check_shown(c docs/c.md tests/c/example.c)
check_shown(python docs/c.md tests/c/foreign.py)
check_shown(c docs/embedding.md tests/c/example.c)
check_shown(python docs/embedding.md python/examples/ckdtree.py)

# The README shows the whole program.
file(READ ${ROOT}/README.md readme)
file(READ ${ROOT}/tests/readme/example.cpp example)
string(FIND "${readme}" "${example}" position)
if(position EQUAL -1)
    message(SEND_ERROR "README.md shows another program than tests/readme/example.cpp")
endif()
