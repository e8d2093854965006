// The options of the demo's command line, their defaults, and how they are read.
#pragma once

#include "../stage/stage.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace throng::demo {

inline constexpr std::size_t kMostAgents = 100'000'000;

struct Options {
    std::string scene = "bounce";
    std::size_t agents = 1'000'000;
    std::size_t frames = 0;  ///< 0: as many as fit into the seconds
    double seconds = 5.0;    ///< 0: no limit, only the frames count
    std::size_t threads = 0; ///< 0: all that there are
    std::uint64_t seed = 1;
    StructureKind structure = StructureKind::crowd;
    std::uint32_t ranks = 0;           ///< ranks of a job instead of a structure; 0: no job
    std::string isa;                   ///< empty: the best that there is
    std::size_t width = 0, height = 0; ///< of pictures; 0: the default of each kind
    bool overlay = false;              ///< draws cells or nodes over pictures
    std::string image = "throng.png";  ///< this and the files below: empty for none
    std::string video, csv, ply, usda;
    bool view = false, quiet = false, help = false;
};

/// Throws std::invalid_argument with a sentence about the first bad option, or about two that
/// contradict each other.
[[nodiscard]] Options parse(std::span<const char* const> arguments);

[[nodiscard]] const char* usage() noexcept;

} // namespace throng::demo
