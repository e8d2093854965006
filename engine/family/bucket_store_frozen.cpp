// Buckets in archives.
#include "../archive/archive_numbers.hpp"
#include "../memory/vector.hpp"
#include "bucket_store.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace throng {

namespace {

constexpr std::uint32_t kNumbers = archive_tag("BNUM");
constexpr std::uint32_t kLinks = archive_tag("LINK");
constexpr std::uint32_t kBuckets = archive_tag("BUCK");

} // namespace

template <std::size_t Dim>
template <class Self, class Numbers>
void BucketStore<Dim>::name_numbers(Self& self, Numbers& numbers) {
    numbers.number(self.kind_);
    numbers.number(self.begun_);
    numbers.number(self.free_);
    numbers.number(self.free_count_);
}

template <std::size_t Dim>
void BucketStore<Dim>::write(ArchiveWriter& out) const {
    NumbersOut numbers;
    name_numbers(*this, numbers);
    numbers.write(kNumbers, out);
    static_assert(sizeof(Link) == 2 * sizeof(std::uint32_t));
    out.section(kLinks, links_.get(), 2 * std::size_t{begun_});
    if (!out.begin(kBuckets, std::uint64_t{begun_} * kRoom * fields_)) { return; }
    for (std::uint32_t bucket = 0; bucket < begun_; ++bucket) {
        std::array<std::uint32_t, kRoom*(2 * Dim + 2)> shown{};
        for (std::uint32_t f = 0; f < fields_; ++f) {
            std::copy_n(words(bucket) + std::size_t{f} * kRoom, count(bucket),
                        shown.data() + std::size_t{f} * kRoom);
        }
        out.add(shown.data(), kRoom * fields_);
    }
    out.end();
}

template <std::size_t Dim>
void BucketStore<Dim>::read(ArchiveReader& in) {
    NumbersIn numbers(kNumbers, in);
    name_numbers(*this, numbers);
    const std::uint64_t link_words = in.begin(kLinks);
    if (!numbers.end()) { return; }
    if (begun_ > kMostBuckets || link_words != 2 * std::uint64_t{begun_}) { return in.refuse(); }
    fields_ = simd::Fields<Dim>::count(kind_.own_half_extents, kind_.groups);
    link_room_ = begun_;
    links_ = make_array<Link>(begun_);
    in.read(links_.get(), static_cast<std::size_t>(link_words));
    if (!in.end()) { return; }
    const std::size_t words = in.buffer(kBuckets, simd::kSlack, words_);
    if (!in.ok()) { return; }
    if (words != std::size_t{begun_} * kRoom * fields_ || !free_ones_are_sound() ||
        !slots_are_sound()) {
        in.refuse();
    }
}

/// The list of free buckets has as many as it says, each once.
template <std::size_t Dim>
bool BucketStore<Dim>::free_ones_are_sound() const {
    Vector<bool> seen(begun_);
    std::uint32_t free = 0;
    for (std::uint32_t bucket = free_; bucket != kNoBucket; bucket = links_[bucket].next) {
        if (bucket >= begun_ || seen[bucket] || links_[bucket].count != 0) { return false; }
        seen[bucket] = true;
        ++free;
    }
    return free == free_count_;
}

/// Every position and every extent is within the limits, and no bucket holds more than kRoom
/// agents.
template <std::size_t Dim>
bool BucketStore<Dim>::slots_are_sound() const noexcept {
    bool sound = true;
    for (std::uint32_t bucket = 0; bucket < begun_; ++bucket) {
        const std::uint32_t count = links_[bucket].count;
        if (count > kRoom) { return false; }
        const auto* const floats = reinterpret_cast<const float*>(words(bucket));
        for (std::size_t a = 0; a < Dim; ++a) {
            const float* const x = floats + (simd::Fields<Dim>::kPosition + a) * kRoom;
            for (std::uint32_t i = 0; i < count; ++i) {
                sound &= std::fabs(x[i]) <= kLargest;
            }
            if (!kind_.own_half_extents) { continue; }
            const float* const half = floats + (simd::Fields<Dim>::kHalfExtent + a) * kRoom;
            for (std::uint32_t i = 0; i < count; ++i) {
                sound &= (half[i] >= 0.0f) & (half[i] <= kLargest);
            }
        }
    }
    return sound;
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template void BucketStore<Dim>::write(ArchiveWriter&) const;                                   \
    template void BucketStore<Dim>::read(ArchiveReader&);                                          \
    template bool BucketStore<Dim>::free_ones_are_sound() const;                                   \
    template bool BucketStore<Dim>::slots_are_sound() const noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
