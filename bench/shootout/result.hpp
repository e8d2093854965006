// The lines of the result, and its file.
#pragma once

#include "walkers.hpp"

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace throng::shootout {

/// The seconds of each run.
class Times {
public:
    void add(double seconds) { seconds_.push_back(seconds); }
    [[nodiscard]] std::size_t runs() const noexcept { return seconds_.size(); }
    /// The smallest time that this fraction of the times does not exceed.
    [[nodiscard]] double quantile(double share) const;

private:
    std::vector<double> seconds_;
};

enum class Verdict : std::uint8_t {
    right,
    wrong,     ///< no times are written
    unchecked, ///< no answer to check
    too_slow,  ///< not measured
};

struct Line {
    std::string subject, kind;
    std::size_t dim = 2;
    SceneKind scene = SceneKind::uniform;
    std::string work, way;
    std::size_t agents = 0, threads = 1;
    std::uint64_t asked = 0, hits = 0;
    double size = 0.0; ///< of a sweep's boxes
    std::string path;
    Times times;         ///< of each run, for all questions or agents
    double units = 1.0;  ///< agents or questions, by which times are divided
    double bytes = -1.0; ///< per agent; negative if not on this line
    Verdict verdict = Verdict::right;
};

/// Writes a temporary file beside the final one, and renames it at the end.
class Result {
public:
    /// Throws std::runtime_error if no file can be written there.
    explicit Result(const std::string& path);
    Result(const Result&) = delete;
    Result& operator=(const Result&) = delete;
    /// Removes the temporary file if finish() was not called.
    ~Result();

    void add(const Line& line);
    /// Writes the remarks, then the lines. Throws std::runtime_error if something could not be
    /// written.
    void finish(const std::vector<std::string>& remarks);
    [[nodiscard]] std::size_t wrong() const noexcept { return wrong_; }

private:
    std::string path_, part_;
    std::ofstream file_;
    std::ostringstream lines_;
    std::size_t wrong_ = 0;
};

} // namespace throng::shootout
