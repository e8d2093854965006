# What compilers and linkers each have words of their own for.

# Flags are written as g++ and clang know them. clang-cl has the command line of Microsoft's compiler, where it ignores
# many of them with a warning, and takes what follows /clang: as clang does. (CMake's MSVC means that command line.)
set(THRONG_CLANG "")
set(throng_exact_flags -fno-fast-math)
set(throng_language_flags -fexceptions -frtti)
set(throng_warnings -Wall -Wextra)
if(MSVC)
    if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "Microsoft's compiler cannot compile the library: use clang-cl, which is -T ClangCL in Visual "
            "Studio, or let your program call its DLL")
    endif()
    set(THRONG_CLANG /clang:)
    set(throng_exact_flags /fp:precise)
    set(throng_language_flags /EHsc /GR)
    set(throng_warnings /W4) # where -Wall is every warning that there is
endif()
# After the first, which lets clang-cl contract.
list(APPEND throng_exact_flags ${THRONG_CLANG}-ffp-contract=off)

# throng_limit_exports(<library>): what of a shared library stays inside is not exported, and the library stays loaded
# as long as threads may run in it. For ELF's linkers, which all have the same options. Windows' DLL has a list of what
# it exports instead, and Apple's linker leaves all visible that is visible in the objects.
function(throng_limit_exports library)
    if(WIN32 OR APPLE)
        return()
    endif()
    # Threads of oneTBB outlive the last call: a host that unloads the library would pull their code away.
    target_link_options(${library} PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map
        $<$<BOOL:${THRONG_TBB}>:-Wl,-z,nodelete>)
    set_target_properties(${library} PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/exports.map)
endfunction()

# throng_export_one(<module>): a plug-in that exports its entry and nothing of the libraries in it, and holds no paths
# of the machine that built it. In objects of Windows nothing is exported unless it says so.
function(throng_export_one module)
    if(MSVC)
        return()
    endif()
    target_compile_options(${module} PRIVATE -fvisibility=hidden)
    if(APPLE)
        target_link_options(${module} PRIVATE $<$<CONFIG:Release>:-Wl,-x>)
    else()
        target_link_options(${module} PRIVATE -Wl,--exclude-libs,ALL $<$<CONFIG:Release>:-s>)
    endif()
endfunction()
