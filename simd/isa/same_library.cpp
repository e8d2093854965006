#include "same_library.hpp"

const char THRONG_LIBRARY = 0;
