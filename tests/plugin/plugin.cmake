# In a plug-in that hosts load and unload, with the library in it; compiled as a host's would be.
add_library(throng_plugin MODULE plugin/plugin.cpp)
target_link_libraries(throng_plugin PRIVATE throng_developer_flags throng_whole)
set_target_properties(throng_plugin PROPERTIES CXX_VISIBILITY_PRESET hidden)
add_executable(throng_plugin_host plugin/host.cpp)
target_link_libraries(throng_plugin_host PRIVATE throng_developer_flags ${CMAKE_DL_LIBS})
add_test(NAME plugin COMMAND throng_plugin_host $<TARGET_FILE:throng_plugin>)
