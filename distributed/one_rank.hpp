// A job of one process: no other rank, no messages.
#pragma once

#include "../simd/isa/names_begin.hpp"

#include "ranks.hpp"

#include <array>

namespace throng {

/// The only rank of its job. It may send parcels to itself.
class THRONG_API OneRank final : public Ranks {
public:
    [[nodiscard]] std::uint32_t rank() const noexcept override { return 0; }
    [[nodiscard]] std::uint32_t size() const noexcept override { return 1; }
    Status begin_exchange(std::span<const Parcel> parcels,
                          std::span<const std::uint32_t> from) override;
    Status finish_exchange(std::vector<Arrival>& arrivals) override;
    Status route(std::span<const Parcel> parcels, std::vector<Arrival>& arrivals) override;
    Status begin_agree(std::span<const std::uint64_t> words) override;
    Status finish_agree(std::span<std::uint64_t> words) override;
    Status gather(std::span<const std::uint64_t> own, std::span<std::uint64_t> all) override;

private:
    std::span<const Parcel> parcels_;
    std::array<std::uint64_t, kMostWords> words_{};
};

} // namespace throng

#include "../simd/isa/names_end.hpp"
