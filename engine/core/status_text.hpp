// The text of a Status, with the reader's own name for the argument. Internal.
#pragma once

#include "status.hpp"

#include <string>

namespace throng {

/// The text of to_string(), but with this name for the argument.
[[nodiscard]] std::string status_text(const Status& status, const char* name);

/// The argument and, where it has several elements, the one to blame: "positions[17]".
[[nodiscard]] std::string element(const Status& status, const char* name);

} // namespace throng
