// All files that a run writes.
#pragma once

#include "../output/image.hpp"
#include "../output/output_file.hpp"
#include "../output/paint.hpp"
#include "../output/video.hpp"
#include "../stage/frame_times.hpp"
#include "../stage/stage.hpp"
#include "options.hpp"

#include <throng/engine/core/executor.hpp>

#include <optional>
#include <string>
#include <vector>

namespace throng::demo {

/// The files that options name. All are opened before the first frame, so that errors show early,
/// and they get their names when all are complete. If they are not kept, nothing remains of them.
class Recording {
public:
    /// Throws std::runtime_error about the first file that cannot be written. Memory for pictures
    /// is taken here too.
    Recording(const Options& options, Executor& executor);

    void add_frame(const Stage& stage, const FrameTimes& times);
    /// Writes the last frame, and returns the names of all files.
    [[nodiscard]] std::vector<std::string> keep(const Stage& stage);

private:
    void add_line(const Stage& stage, const FrameTimes& times);
    void write_last_frame(const Stage& stage);

    const Options& options_;
    Painter painter_;
    std::optional<OutputFile> image_, csv_, ply_, usda_;
    std::optional<Video> video_;
    Image picture_, video_frame_;
};

} // namespace throng::demo
