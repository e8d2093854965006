# A library that is added to a host changes none of its settings.

# read_settings(<variable>): the settings of this folder, of the cache and of the project that are the host's.
function(read_settings settings_variable)
    get_directory_property(settings_names VARIABLES)
    get_directory_property(settings_cached CACHE_VARIABLES)
    set(settings_all "")
    foreach(settings_name IN LISTS settings_names settings_cached)
        # TBB_ and xsimd_ say where these were found, which is the same for all projects.
        if(NOT settings_name MATCHES "^(THRONG|throng|_|TBB_|xsimd_|FETCHCONTENT_|CMAKE_MATCH_|CMAKE_CURRENT_FUNCTION|ARG|PACKAGE_|settings_)")
            string(REGEX REPLACE "[][;\\\\]" "," settings_value "${${settings_name}}")
            list(APPEND settings_all "${settings_name}=${settings_value}")
        endif()
    endforeach()
    foreach(settings_name IN ITEMS COMPILE_OPTIONS COMPILE_DEFINITIONS INCLUDE_DIRECTORIES LINK_OPTIONS
            LINK_DIRECTORIES LINK_LIBRARIES TESTS CMAKE_CONFIGURE_DEPENDS)
        get_directory_property(settings_value ${settings_name})
        string(REGEX REPLACE "[][;\\\\]" "," settings_value "${settings_value}")
        list(APPEND settings_all "${settings_name}: ${settings_value}")
    endforeach()
    foreach(settings_name IN ITEMS ALLOW_DUPLICATE_CUSTOM_TARGETS USE_FOLDERS RULE_LAUNCH_COMPILE
            RULE_LAUNCH_LINK CTEST_TARGETS_ADDED JOB_POOLS AUTOGEN_TARGETS_FOLDER)
        get_property(settings_value GLOBAL PROPERTY ${settings_name})
        string(REGEX REPLACE "[][;\\\\]" "," settings_value "${settings_value}")
        list(APPEND settings_all "${settings_name}: ${settings_value}")
    endforeach()
    list(REMOVE_DUPLICATES settings_all)
    list(REMOVE_ITEM settings_all "")
    set(${settings_variable} "${settings_all}" PARENT_SCOPE)
endfunction()

# expect_changes(<settings before> <expected>): the settings that were changed, removed or added since, sorted.
function(expect_changes settings_before settings_expected)
    read_settings(settings_now)
    set(settings_added ${settings_now})
    list(REMOVE_ITEM settings_added ${settings_before})
    set(settings_gone ${settings_before})
    list(REMOVE_ITEM settings_gone ${settings_now})
    set(settings_changed ${settings_added} ${settings_gone})
    list(SORT settings_changed)
    if(NOT "${settings_changed}" STREQUAL "${settings_expected}")
        message(FATAL_ERROR "changed in the host: ${settings_changed}; expected: ${settings_expected}")
    endif()
endfunction()

# A variable, a flag, and a setting that the host no longer has.
macro(expect_that_leaks_are_seen)
    set(had ON)
    read_settings(settings_planted)
    unset(had)
    set(planted ON)
    add_compile_options(-Dplanted)
    expect_changes("${settings_planted}"
        "COMPILE_OPTIONS: ;COMPILE_OPTIONS: -Dplanted;had=ON;planted=ON")
    unset(planted)
    set_directory_properties(PROPERTIES COMPILE_OPTIONS "")
endmacro()
