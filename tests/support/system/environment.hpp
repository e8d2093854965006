// The environment of this process.
#pragma once

#include <cstdlib>
#include <string>

namespace throng::test {

/// Sets a variable, or removes it if `value` is null.
inline void set_environment(const char* name, const char* value) {
#if defined(_WIN32)
    _putenv((std::string(name) + "=" + (value == nullptr ? "" : value)).c_str());
#else
    value == nullptr ? unsetenv(name) : setenv(name, value, 1);
#endif
}

} // namespace throng::test
