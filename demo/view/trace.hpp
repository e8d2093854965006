// Writes a line for each event in the window, for programs that drive it.
#pragma once

#include <fstream>
#include <string>

namespace throng::demo {

class Trace {
public:
    /// Writes to this file, or writes nothing if `file` is null. Throws std::runtime_error if the
    /// file cannot be opened.
    explicit Trace(const char* file);

    void say(const std::string& line);
    /// Writes only if the line differs from the last one of its kind, kept in `last`.
    void say_news(std::string& last, const std::string& line);

    [[nodiscard]] bool on() const noexcept { return out_.is_open(); }

private:
    std::ofstream out_;
};

} // namespace throng::demo
