// Fields of CSV files.
#pragma once

#include <string>
#include <string_view>

namespace throng::bench {

/// A text in quotes, for CSV.
[[nodiscard]] inline std::string quoted(std::string_view text) {
    std::string quoted = "\"";
    for (const char character : text) {
        quoted += character == '"' ? "\"\"" : std::string(1, character);
    }
    return quoted + "\"";
}

} // namespace throng::bench
