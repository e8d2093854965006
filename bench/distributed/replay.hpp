// Records what a rank received, so that the rank can run again without the others.
#pragma once

#include <throng/distributed/ranks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::bench {

/// Everything that a rank received from the others, in the order of its calls.
struct Told {
    std::uint32_t rank = 0, ranks = 0;
    std::vector<std::vector<Arrival>> parcels;
    std::vector<std::vector<std::uint64_t>> words;
};

/// A rank that records what it receives. It must not call gather().
class Recorder final : public Ranks {
public:
    Recorder(Ranks& ranks, Told& told) noexcept : ranks_(ranks), told_(told) {
        told.rank = ranks.rank();
        told.ranks = ranks.size();
    }
    [[nodiscard]] std::uint32_t rank() const noexcept override { return ranks_.rank(); }
    [[nodiscard]] std::uint32_t size() const noexcept override { return ranks_.size(); }
    Status begin_exchange(std::span<const Parcel> parcels,
                          std::span<const std::uint32_t> from) override {
        return ranks_.begin_exchange(parcels, from);
    }
    Status finish_exchange(std::vector<Arrival>& arrivals) override {
        const Status status = ranks_.finish_exchange(arrivals);
        told_.parcels.push_back(arrivals);
        return status;
    }
    Status route(std::span<const Parcel> parcels, std::vector<Arrival>& arrivals) override {
        const Status status = ranks_.route(parcels, arrivals);
        told_.parcels.push_back(arrivals);
        return status;
    }
    Status begin_agree(std::span<const std::uint64_t> words) override {
        return ranks_.begin_agree(words);
    }
    Status finish_agree(std::span<std::uint64_t> words) override {
        const Status status = ranks_.finish_agree(words);
        told_.words.emplace_back(words.begin(), words.end());
        return status;
    }
    Status gather(std::span<const std::uint64_t>, std::span<std::uint64_t>) override {
        return {Cause::rank_lost};
    }

private:
    Ranks& ranks_;
    Told& told_;
};

/// The recorded rank without the others: parcels that it sends are dropped, and recorded ones
/// arrive at once, copied as from a wire, in the same order.
class Replay final : public Ranks {
public:
    explicit Replay(const Told& told) noexcept : told_(told) {}

    [[nodiscard]] std::uint32_t rank() const noexcept override { return told_.rank; }
    [[nodiscard]] std::uint32_t size() const noexcept override { return told_.ranks; }
    Status begin_exchange(std::span<const Parcel>, std::span<const std::uint32_t>) override {
        return {};
    }
    Status finish_exchange(std::vector<Arrival>& arrivals) override {
        arrivals = told_.parcels.at(parcels_++);
        return {};
    }
    Status route(std::span<const Parcel>, std::vector<Arrival>& arrivals) override {
        arrivals = told_.parcels.at(parcels_++);
        return {};
    }
    Status begin_agree(std::span<const std::uint64_t>) override { return {}; }
    Status finish_agree(std::span<std::uint64_t> words) override {
        const std::vector<std::uint64_t>& agreed = told_.words.at(words_++);
        std::copy_n(agreed.begin(), words.size(), words.begin());
        return {};
    }
    Status gather(std::span<const std::uint64_t>, std::span<std::uint64_t>) override {
        return {Cause::rank_lost};
    }

private:
    const Told& told_;
    std::size_t parcels_ = 0, words_ = 0;
};

} // namespace throng::bench
