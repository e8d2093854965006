# throng_add_stubs(<folder> <header that has all> <name>...): headers of a host, named as the host has them, that lead to the
# stubs of all of it.
function(throng_add_stubs folder all)
    foreach(name IN LISTS ARGN)
        file(CONFIGURE OUTPUT ${folder}/${name}.h CONTENT "#include \"${all}\"\n")
    endforeach()
endfunction()
