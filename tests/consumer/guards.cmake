# Hosts that were compiled for another library do not link, or do not start, and are told why.

# check_guards(<prefix> <libdir> <scratch> <shared>)
function(check_guards prefix libdir scratch shared)
    set(host ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/guarded.cpp)
    set(library -I${prefix}/include -L${prefix}/${libdir} -lthrong -lm -pthread -Wl,-rpath,${prefix}/${libdir})
    if(shared)
        list(APPEND library -DTHRONG_SHARED)
    endif()
    file(REMOVE_RECURSE ${scratch}/other)
    file(COPY ${prefix}/include/throng DESTINATION ${scratch}/other)
    file(READ ${scratch}/other/throng/simd/version.hpp version)
    string(REGEX REPLACE "(VERSION_MINOR) [0-9]+" "\\1 99" version "${version}")
    file(WRITE ${scratch}/other/throng/simd/version.hpp "${version}")

    # Nothing in the host uses the reference, so these are the flags that might lose it.
    set(dropped "-O2 -ffunction-sections -fdata-sections -Wl,--gc-sections")
    foreach(compiler IN LISTS compilers)
        set(ways "${dropped}")
        if(NOT compiler MATCHES "clang") # which needs a plug-in of the linker's
            list(APPEND ways "${dropped} -flto")
        endif()
        foreach(way IN LISTS ways)
            separate_arguments(flags UNIX_COMMAND "${way}")
            set(compile ${compiler} -std=c++20 ${flags} ${host} -o ${scratch}/guarded)
            # It links with the right headers and settings, so that nothing else is why it does not.
            run(${compile} ${library})
            run(${scratch}/guarded)
            run_refused("throng_library_0_99_for_libstdcxx" ${compile} -I${scratch}/other ${library})
            run_refused("throng_library_[0-9_]*_for_glibcxx_debug" ${compile} -D_GLIBCXX_DEBUG ${library})
        endforeach()
    endforeach()
    if(shared)
        check_swapped(${scratch}/guarded ${prefix}/${libdir} ${scratch}/swapped)
    endif()
endfunction()

# check_swapped(<program> <folder> <scratch>): it starts with a copy of the library, and does not with
# one that differs in nothing but in what it is called inside.
function(check_swapped program folder scratch)
    file(GLOB library ${folder}/libthrong.so.*.*)
    list(FILTER library EXCLUDE REGEX "so[.][0-9]+[.][0-9]+[.][0-9]+$")
    get_filename_component(name ${library} NAME)
    get_filename_component(library ${library} REALPATH)
    set(start ${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${scratch} ${program})

    file(REMOVE_RECURSE ${scratch})
    file(MAKE_DIRECTORY ${scratch})
    file(COPY_FILE ${library} ${scratch}/${name})
    run(${start})
    find_program(SED sed REQUIRED)
    run(${CMAKE_COMMAND} -E env LC_ALL=C ${SED} -i s/throng_library_/throng_another_/ ${scratch}/${name})
    run_refused("throng_library_[0-9_]*_for_libstdcxx" ${start})
endfunction()
