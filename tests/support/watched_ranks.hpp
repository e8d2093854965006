// A rank of a job with code around each of its calls.
#pragma once

#include <throng/distributed/ranks.hpp>
#include <throng/engine/core/function_ref.hpp>

namespace throng::test {

/// Passes all calls on to another rank.
class WatchedRanks : public Ranks {
public:
    explicit WatchedRanks(Ranks& ranks) noexcept : ranks_(ranks) {}

    [[nodiscard]] std::uint32_t rank() const noexcept override { return ranks_.rank(); }
    [[nodiscard]] std::uint32_t size() const noexcept override { return ranks_.size(); }
    [[nodiscard]] bool allows_threads() const noexcept override { return ranks_.allows_threads(); }
    void enters(const char* call) noexcept override { ranks_.enters(call); }
    Status begin_exchange(std::span<const Parcel> parcels,
                          std::span<const std::uint32_t> from) override {
        return around([&] { return ranks_.begin_exchange(parcels, from); });
    }
    Status finish_exchange(std::vector<Arrival>& arrivals) override {
        return around([&] { return ranks_.finish_exchange(arrivals); });
    }
    Status route(std::span<const Parcel> parcels, std::vector<Arrival>& arrivals) override {
        return around([&] { return ranks_.route(parcels, arrivals); });
    }
    Status begin_agree(std::span<const std::uint64_t> words) override {
        return around([&] { return ranks_.begin_agree(words); });
    }
    Status finish_agree(std::span<std::uint64_t> words) override {
        return around([&] { return ranks_.finish_agree(words); });
    }
    Status gather(std::span<const std::uint64_t> own, std::span<std::uint64_t> all) override {
        return around([&] { return ranks_.gather(own, all); });
    }

private:
    /// Must return call(), and may do more before and after.
    virtual Status around(FunctionRef<Status()> call) = 0;

    Ranks& ranks_;
};

} // namespace throng::test
