// The crowd that every host here runs, its questions, and one number for all answers.
#pragma once

#include <throng/throng.hpp>

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <thread>
#include <vector>

namespace hosts {

inline constexpr int kFrames = 6;

/// Hobbits, a few dragons, and castles, on a lattice of quarters. Many are exactly 1.25 apart, on
/// the rim of each other's balls, and many are equally near, so that another rounding or order
/// gives another number.
class Scene {
public:
    static constexpr std::uint32_t kAgents = 20'000;
    static constexpr std::uint32_t kCastles = 50;
    static constexpr std::uint32_t kSide = 512; // quarters

    Scene() {
        for (std::uint32_t i = 0; i < kAgents; ++i) {
            x_.push_back(static_cast<float>(next() % kSide) / 4);
            y_.push_back(static_cast<float>(next() % kSide) / 4);
            half_.push_back(i % 997 == 0 ? 6.0f : i % 3 == 0 ? 0.5f : 0.25f);
        }
        for (std::uint32_t i = 0; i < kCastles; ++i) {
            castles_.push_back(static_cast<float>(next() % kSide) / 4);
            castles_.push_back(static_cast<float>(next() % kSide) / 4);
        }
    }

    /// All agents move a few quarters, and enter again on the other side.
    void step() {
        for (std::uint32_t i = 0; i < kAgents; ++i) {
            x_[i] = wrapped(x_[i] + static_cast<float>(next() % 5) / 4 - 0.5f);
            y_[i] = wrapped(y_[i] + static_cast<float>(next() % 5) / 4 - 0.5f);
        }
        balls_.clear();
        points_.clear();
        for (std::uint32_t i = 0; i < kAgents; i += 10) {
            balls_.push_back({{x_[i], y_[i]}, 1.25f});
            points_.push_back({{x_[i], y_[i]}});
        }
    }

    [[nodiscard]] throng::Agents<2> agents() const {
        throng::Agents<2> agents;
        agents.positions = throng::PointView<2>::separate({x_.data(), y_.data()}, kAgents);
        agents.half_extents = throng::PointView<2>::separate({half_.data(), half_.data()}, kAgents);
        return agents;
    }
    [[nodiscard]] throng::Agents<2> castles() const {
        throng::Agents<2> castles;
        castles.positions = throng::PointView<2>::interleaved(castles_.data(), kCastles);
        castles.common_half_extent = {4.0f, 3.0f};
        return castles;
    }
    [[nodiscard]] std::span<const throng::Ball<2>> balls() const { return balls_; }
    [[nodiscard]] std::span<const throng::Point<2>> points() const { return points_; }

private:
    [[nodiscard]] static float wrapped(float place) {
        constexpr float side = kSide / 4.0f;
        return place < 0 ? place + side : place < side ? place : place - side;
    }

    /// Numerical Recipes' generator, which is the same everywhere; std's distributions are not.
    std::uint32_t next() {
        state_ = state_ * 1'664'525u + 1'013'904'223u;
        return state_ >> 16;
    }

    std::uint32_t state_ = 1;
    std::vector<float> x_, y_, half_, castles_;
    std::vector<throng::Ball<2>> balls_;
    std::vector<throng::Point<2>> points_;
};

/// All answers in their order, as one number (FNV-1a, over words).
class Hash {
public:
    void add(std::uint64_t word) { value_ = (value_ ^ word) * 0x100'0000'01b3u; }

    /// Adds word by word, so that the cut into parts makes no difference.
    void add(std::span<const std::uint64_t> offsets, std::span<const throng::Id> ids) {
        for (std::size_t q = 0; q + 1 < offsets.size(); ++q) {
            add(offsets[q + 1] - offsets[q]);
            for (std::uint64_t i = offsets[q]; i < offsets[q + 1]; ++i) {
                add(ids[i]);
            }
        }
    }
    void add(const throng::Pairs& pairs) {
        for (std::uint64_t p = 0; p < pairs.count; ++p) {
            add(std::uint64_t{pairs.first[p]} << 32 | pairs.second[p]);
        }
    }
    void add(const throng::NearHits& hits) {
        for (const throng::Near& near : hits.nearest) {
            add(std::uint64_t{std::bit_cast<std::uint32_t>(near.distance2)} << 32 | near.id);
        }
    }

    [[nodiscard]] std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0xcbf2'9ce4'8422'2325u;
};

/// Ends the program if a call was refused.
inline void demand(const throng::Status& status) {
    if (status.ok()) { return; }
    std::fprintf(stderr, "%s\n", throng::to_string(status).c_str());
    std::exit(1);
}

/// The number of threads that the process may have, this one included.
[[nodiscard]] inline std::size_t threads_wanted(int argc, char** argv) {
    const int wanted = argc > 1 ? std::atoi(argv[1]) : 0;
    return wanted > 0 ? static_cast<std::size_t>(wanted)
                      : std::max(1u, std::thread::hardware_concurrency());
}

inline void print(const Hash& hash) { std::printf("answers %016" PRIx64 "\n", hash.value()); }

} // namespace hosts
