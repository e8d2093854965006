// What happens in the window, one line for each event, for programs that drive it.
#pragma once

#include <fstream>
#include <string>

namespace throng::demo {

class Trace {
public:
    /// Writes to that file; nothing if there is none. Throws std::runtime_error where it cannot.
    explicit Trace(const char* file);

    void say(const std::string& line);
    /// Only if it is not what was said last of this kind: a word, and what follows it.
    void say_news(std::string& last, const std::string& line);

    [[nodiscard]] bool on() const noexcept { return out_.is_open(); }

private:
    std::ofstream out_;
};

} // namespace throng::demo
