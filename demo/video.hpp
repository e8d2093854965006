// Frames on their way to ffmpeg.
#pragma once

#include "image.hpp"
#include "output_file.hpp"

#include <sys/types.h>

#include <string>

namespace throng::demo {

/// An MP4 or a GIF, as the name ends, of 30 frames a second.
class Video {
public:
    /// Throws std::runtime_error where there is no ffmpeg, or the file cannot be written.
    Video(const std::string& name, std::size_t width, std::size_t height);
    ~Video();
    Video(const Video&) = delete;
    Video& operator=(const Video&) = delete;

    void add(const Image& image);
    /// Throws if ffmpeg has failed, and then there is no file.
    void keep();

private:
    /// Returns whether ffmpeg was content.
    bool finish() noexcept;

    OutputFile file_;
    int pipe_ = -1;
    pid_t ffmpeg_ = -1;
};

} // namespace throng::demo
