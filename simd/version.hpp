// Which version these headers are of. Read by CMake, too: nothing else says it.
#pragma once

#define THRONG_VERSION_MAJOR 0
#define THRONG_VERSION_MINOR 1
#define THRONG_VERSION_PATCH 0
