#include "recording.hpp"

#include "../output/export.hpp"
#include "../output/picture.hpp"
#include "../output/png.hpp"

#include <array>
#include <cinttypes>
#include <cstdio>
#include <numeric>
#include <span>

namespace throng::demo {

namespace {

Image blank(const Options& options, std::size_t width, std::size_t height) {
    return options.width != 0 ? Image(options.width, options.height) : Image(width, height);
}

} // namespace

Recording::Recording(const Options& options, Executor& executor)
    : options_(options), painter_(executor) {
    const auto open = [](std::optional<OutputFile>& file, const std::string& name) {
        if (!name.empty()) { file.emplace(name); }
    };
    open(image_, options.image);
    if (image_) { picture_ = blank(options, 1600, 900); }
    open(csv_, options.csv);
    open(ply_, options.ply);
    open(usda_, options.usda);
    if (!options.video.empty()) {
        video_frame_ = blank(options, 1280, 720);
        video_.emplace(options.video, video_frame_.width, video_frame_.height);
    }
    if (csv_) {
        csv_->write("frame,move_ms,update_ms,query_ms,collide_ms,frame_ms,pairs,neighbours,"
                    "checksum\n");
    }
}

void Recording::add_frame(const Stage& stage, const FrameTimes& times) {
    if (csv_) { add_line(stage, times); }
    if (video_) {
        draw_picture(stage, options_.overlay, painter_, video_frame_);
        video_->add(video_frame_);
    }
}

void Recording::add_line(const Stage& stage, const FrameTimes& times) {
    const Sight sight = stage.sight();
    const auto all =
        std::accumulate(sight.neighbours.begin(), sight.neighbours.end(), std::uint64_t{0});
    std::array<char, 256> line{};
    const auto last = [&](Part part) { return times.of(part).back(); };
    const int length = std::snprintf(
        line.data(), line.size(),
        "%zu,%.4f,%.4f,%.4f,%.4f,%.4f,%" PRIu64 ",%" PRIu64 ",%016" PRIx64 "\n", times.frames(),
        last(Part::move), last(Part::update), last(Part::query), last(Part::collide),
        last(Part::frame), stage.pairs(), all, checksum_of(sight));
    csv_->write(std::string_view(line.data(), static_cast<std::size_t>(length)));
}

void Recording::write_last_frame(const Stage& stage) {
    if (image_) {
        draw_picture(stage, options_.overlay, painter_, picture_);
        const std::vector<std::uint8_t> png = encode_png(picture_);
        image_->write(std::as_bytes(std::span(png)));
    }
    if (ply_) { write_ply(stage, *ply_); }
    if (usda_) { write_usda(stage, *usda_); }
}

std::vector<std::string> Recording::keep(const Stage& stage) {
    write_last_frame(stage);
    std::vector<OutputFile*> files;
    if (video_) { files.push_back(&video_->finish()); }
    for (std::optional<OutputFile>* const file : {&image_, &csv_, &ply_, &usda_}) {
        if (*file) { files.push_back(&**file); }
    }
    for (OutputFile* const file : files) {
        file->finish();
    }
    std::vector<std::string> names;
    for (OutputFile* const file : files) {
        file->keep();
        names.push_back(file->name());
    }
    return names;
}

} // namespace throng::demo
