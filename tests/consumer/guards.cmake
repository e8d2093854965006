# Hosts that were compiled for another library do not link, or do not start, with a message that says why.

# check_guards(<prefix> <libdir> <scratch> <shared>)
function(check_guards prefix libdir scratch shared)
    set(host ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/guarded.cpp)
    set(library -I${prefix}/include -L${prefix}/${libdir} -lthrong -lm -pthread -Wl,-rpath,${prefix}/${libdir})
    if(shared)
        list(APPEND library -DTHRONG_SHARED)
    endif()
    file(REMOVE_RECURSE ${scratch}/other)
    file(COPY ${prefix}/include/throng DESTINATION ${scratch}/other)
    file(READ ${scratch}/other/throng/simd/isa/version.hpp version)
    string(REGEX REPLACE "(VERSION_MINOR) [0-9]+" "\\1 99" version "${version}")
    file(WRITE ${scratch}/other/throng/simd/isa/version.hpp "${version}")

    # Nothing in the host uses the reference, so these are the flags that might lose it.
    set(dropped "-O2 -ffunction-sections -fdata-sections -Wl,--gc-sections")
    foreach(compiler IN LISTS compilers)
        set(ways "${dropped}")
        if(NOT compiler MATCHES "clang") # clang needs a plug-in of the linker
            list(APPEND ways "${dropped} -flto")
        endif()
        foreach(way IN LISTS ways)
            separate_arguments(flags UNIX_COMMAND "${way}")
            set(compile ${compiler} -std=c++20 ${flags} ${host} -o ${scratch}/guarded)
            # It links with the right headers and settings, so these are the only reason.
            run(${compile} ${library})
            run(${scratch}/guarded)
            run_refused("throng_library_0_99_for_libstdcxx" ${compile} -I${scratch}/other ${library})
            run_refused("throng_library_[0-9_]*_for_glibcxx_debug" ${compile} -D_GLIBCXX_DEBUG ${library})
        endforeach()
    endforeach()
    if(shared)
        check_swapped(${prefix} ${libdir} ${scratch})
    endif()
endfunction()

# A library in place of the one that the host was linked with: of the same version, and of another. The host
# lacks only its name.
function(check_swapped prefix libdir scratch)
    file(GLOB library ${prefix}/${libdir}/libthrong.so.*.*)
    list(FILTER library EXCLUDE REGEX "so[.][0-9]+[.][0-9]+[.][0-9]+$")
    get_filename_component(name ${library} NAME)
    list(GET compilers 0 compiler)
    set(source ${scratch}/swapped.cpp)
    file(WRITE ${source} "#include <throng/simd/isa/same_library.hpp>\nconst char THRONG_LIBRARY = 0;\n")
    file(REMOVE_RECURSE ${scratch}/swapped)
    file(MAKE_DIRECTORY ${scratch}/swapped)
    set(compile ${compiler} -std=c++20 -DTHRONG_SHARED -fPIC -shared -Wl,-soname,${name} ${source}
        -o ${scratch}/swapped/${name})

    # The runpath leads to the library that was installed; this comes before it.
    set(start ${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${scratch}/swapped ${scratch}/guarded)
    run(${compiler} -std=c++20 -DTHRONG_SHARED -I${prefix}/include ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/guarded.cpp
        -L${prefix}/${libdir} -lthrong -Wl,-rpath,${prefix}/${libdir} -o ${scratch}/guarded)
    run(${compile} -I${prefix}/include)
    run(${start})
    run(${compile} -I${scratch}/other)
    run_refused("undefined symbol: throng_library_[0-9_]*_for_libstdcxx" ${start})
endfunction()
