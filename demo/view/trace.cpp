#include "trace.hpp"

#include <stdexcept>

namespace throng::demo {

Trace::Trace(const char* file) {
    if (file == nullptr || *file == '\0') { return; }
    out_.open(file);
    if (!out_) {
        throw std::runtime_error("cannot write the trace to '" + std::string(file) + "'");
    }
}

void Trace::say(const std::string& line) {
    if (!on()) { return; }
    // Not buffered: a reader waits for each line.
    out_ << line << '\n' << std::flush;
}

void Trace::say_news(std::string& last, const std::string& line) {
    if (!on() || line == last) { return; }
    say(line);
    last = line;
}

} // namespace throng::demo
