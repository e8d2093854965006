// Frames on their way to ffmpeg.
#pragma once

#include "image.hpp"
#include "output_file.hpp"

#include <sys/types.h>

#include <string>

namespace throng::demo {

/// An MP4 or a GIF, as the name ends, of 30 frames a second. Needs catch_signals() before: that
/// ffmpeg has given up is to be an error, not the end of the program.
class Video {
public:
    /// Throws std::runtime_error where there is no ffmpeg, or the file cannot be written.
    Video(const std::string& name, std::size_t width, std::size_t height);
    ~Video();
    Video(const Video&) = delete;
    Video& operator=(const Video&) = delete;

    void add(const Image& image);
    /// Waits for ffmpeg, and throws if that has failed. Returns the file, for it to be kept.
    [[nodiscard]] OutputFile& finish();

private:
    /// Returns whether ffmpeg was content.
    bool end() noexcept;

    OutputFile file_;
    int pipe_ = -1;
    pid_t ffmpeg_ = -1;
};

} // namespace throng::demo
