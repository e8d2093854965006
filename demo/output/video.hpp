// Sends frames to ffmpeg.
#pragma once

#include "image.hpp"
#include "output_file.hpp"

#include <sys/types.h>

#include <string>

namespace throng::demo {

/// An MP4 or a GIF of 30 frames per second, by the end of the name. Call catch_signals() before, so
/// that a failure of ffmpeg is an error, not the end of the program.
class Video {
public:
    /// Throws std::runtime_error if there is no ffmpeg, or the file cannot be written.
    Video(const std::string& name, std::size_t width, std::size_t height);
    ~Video();
    Video(const Video&) = delete;
    Video& operator=(const Video&) = delete;

    void add(const Image& image);
    /// Waits for ffmpeg, and throws if it failed. Returns the file, which the caller keeps.
    [[nodiscard]] OutputFile& finish();

private:
    /// Returns whether ffmpeg succeeded.
    bool end() noexcept;

    OutputFile file_;
    int pipe_ = -1;
    pid_t ffmpeg_ = -1;
};

} // namespace throng::demo
