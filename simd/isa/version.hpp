// The version of these headers. CMake reads it from here.
#pragma once

#define THRONG_VERSION_MAJOR 0
#define THRONG_VERSION_MINOR 2
#define THRONG_VERSION_PATCH 0
