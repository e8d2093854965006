// The words for what went wrong, whatever its reader calls the arguments. Internal.
#pragma once

#include "status.hpp"

#include <string>

namespace throng {

/// What to_string() says of a status, to somebody who knows the argument by this name.
[[nodiscard]] std::string sentence(const Status& status, const char* name);

/// The argument and, where it has several elements, the one to blame: "positions[17]".
[[nodiscard]] std::string element(const Status& status, const char* name);

} // namespace throng
