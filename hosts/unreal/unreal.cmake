# The module of Unreal between stubs, without exceptions and RTTI, as Unreal compiles it.
set(stubs ${CMAKE_CURRENT_BINARY_DIR}/hosts/unreal/stubs)
throng_add_stubs(${stubs} ${CMAKE_CURRENT_LIST_DIR}/stubs/unreal.hpp
    CoreMinimal Subsystems/WorldSubsystem ThrongCrowdSubsystem.generated Async/ParallelFor Async/TaskGraphInterfaces
    Modules/ModuleManager)
set(module ${CMAKE_CURRENT_LIST_DIR}/ThrongCrowd/Source/ThrongCrowd)
add_library(throng_unreal_module OBJECT ${module}/Private/ThrongCrowdModule.cpp
    ${module}/Private/ThrongCrowdSubsystem.cpp)
target_include_directories(throng_unreal_module PRIVATE ${module}/Public ${stubs} ${PROJECT_BINARY_DIR}/include)
# Not throng_flags, which turn both on.
target_link_libraries(throng_unreal_module PRIVATE throng_developer_flags)
if(NOT MSVC AND NOT THRONG_SANITIZE) # some of which read the type of an object
    target_compile_options(throng_unreal_module PRIVATE -fno-exceptions -fno-rtti)
endif()
add_executable(throng_unreal_tests ${CMAKE_CURRENT_LIST_DIR}/tests/subsystem_test.cpp
    $<TARGET_OBJECTS:throng_unreal_module>)
target_include_directories(throng_unreal_tests PRIVATE ${module}/Public ${stubs})
target_link_libraries(throng_unreal_tests PRIVATE throng_flags throng_test_flags throng_core)
add_test(NAME hosts.unreal COMMAND throng_unreal_tests)
