#include "length_error.hpp"

#include <new>
#include <stdexcept>

namespace throng {

void throw_too_long(const char* what) { throw std::length_error(what); }

void throw_no_such_length() { throw std::bad_array_new_length(); }

} // namespace throng
