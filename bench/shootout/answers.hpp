// Where all contenders put their answers.
#pragma once

#include <throng/engine/agents/found.hpp>
#include <throng/engine/core/id.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::shootout {

/// The answers to questions, in their order. In timed runs ids are written to room(), counted, and
/// overwritten by the next answer; in checked runs they are kept.
class Answers {
public:
    enum class Purpose : std::uint8_t { timing, checking };

    Answers(Purpose purpose, std::size_t agents) : room_(agents), purpose_(purpose) {}

    /// Room for all agents.
    [[nodiscard]] std::span<Id> room() noexcept { return room_; }

    /// Takes the first `count` ids of room() as the next answer.
    void take(std::size_t count) {
        take(count, [&](std::size_t i) { return room_[i]; });
    }
    /// Takes the next answer from memory of the contender.
    template <class IdOf>
    void take(std::size_t count, const IdOf& id_of) {
        hits_ += count;
        if (purpose_ == Purpose::timing) { return; }
        for (std::size_t i = 0; i < count; ++i) {
            kept_.ids.push_back(id_of(i));
        }
        kept_.offsets.push_back(kept_.ids.size());
    }
    /// Takes all answers at once.
    void take(const Hits& hits) {
        hits_ += hits.total();
        if (purpose_ == Purpose::checking) { kept_ = hits; }
    }

    [[nodiscard]] std::uint64_t hits() const noexcept { return hits_; }
    [[nodiscard]] const Hits& kept() const noexcept { return kept_; }

private:
    std::vector<Id> room_;
    Hits kept_{{0}, {}};
    std::uint64_t hits_ = 0;
    Purpose purpose_;
};

/// The number of pairs and, in checked runs, a sum over their ids that does not depend on order.
/// Any thread may add pairs.
class PairTally {
public:
    explicit PairTally(Answers::Purpose purpose) noexcept : purpose_(purpose) {}

    void take(std::span<const Id> first, std::span<const Id> second) noexcept {
        count_.fetch_add(first.size(), std::memory_order_relaxed);
        if (purpose_ == Answers::Purpose::timing) { return; }
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < first.size(); ++i) {
            const std::uint64_t low = first[i] < second[i] ? first[i] : second[i];
            const std::uint64_t high = first[i] < second[i] ? second[i] : first[i];
            const std::uint64_t mixed = (low << 32 | high) * 0x9E37'79B9'7F4A'7C15u;
            sum += mixed ^ (mixed >> 29);
        }
        sum_.fetch_add(sum, std::memory_order_relaxed);
    }

    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
    [[nodiscard]] std::uint64_t sum() const noexcept { return sum_; }

private:
    std::atomic<std::uint64_t> count_ = 0, sum_ = 0;
    Answers::Purpose purpose_;
};

/// For contenders that find pairs one by one: collects pairs, and passes them on by the thousand,
/// as the library does.
class PairBuffer {
public:
    explicit PairBuffer(PairTally& tally) noexcept : tally_(tally) {}
    PairBuffer(const PairBuffer&) = delete;
    PairBuffer& operator=(const PairBuffer&) = delete;
    ~PairBuffer() { hand_over(); }

    void add(Id first, Id second) noexcept {
        first_[used_] = first;
        second_[used_] = second;
        if (++used_ == first_.size()) { hand_over(); }
    }

private:
    void hand_over() noexcept {
        tally_.take(std::span(first_).first(used_), std::span(second_).first(used_));
        used_ = 0;
    }

    PairTally& tally_;
    std::size_t used_ = 0;
    std::array<Id, 1024> first_, second_;
};

} // namespace throng::shootout
