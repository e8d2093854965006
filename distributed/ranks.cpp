#include "ranks.hpp"

#include "one_rank.hpp"

#include <algorithm>
#include <utility>

namespace throng {

Ranks::~Ranks() = default;

namespace {

std::vector<Arrival> received(std::span<const Parcel> parcels) {
    std::vector<Arrival> arrivals;
    for (const Parcel& parcel : parcels) {
        arrivals.push_back({0, {parcel.bytes.begin(), parcel.bytes.end()}});
    }
    return arrivals;
}

} // namespace

Status OneRank::begin_exchange(std::span<const Parcel> parcels, std::span<const std::uint32_t>) {
    parcels_ = parcels;
    return {};
}

Status OneRank::finish_exchange(std::vector<Arrival>& arrivals) {
    const std::span<const Parcel> parcels = std::exchange(parcels_, {});
    arrivals = received(parcels);
    return {};
}

Status OneRank::route(std::span<const Parcel> parcels, std::vector<Arrival>& arrivals) {
    arrivals = received(parcels);
    return {};
}

Status OneRank::begin_agree(std::span<const std::uint64_t> words) {
    std::copy(words.begin(), words.end(), words_.begin());
    return {};
}

Status OneRank::finish_agree(std::span<std::uint64_t> words) {
    std::copy_n(words_.begin(), words.size(), words.begin());
    return {};
}

Status OneRank::gather(std::span<const std::uint64_t> own, std::span<std::uint64_t> all) {
    std::copy(own.begin(), own.end(), all.begin());
    return {};
}

} // namespace throng
