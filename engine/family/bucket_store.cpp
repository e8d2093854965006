#include "bucket_store.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace throng {

template <std::size_t Dim>
void BucketStore<Dim>::reserve(std::size_t buckets) {
    const std::size_t bucket_words = kRoom * fields_;
    if (buckets <= link_room_ && buckets * bucket_words + simd::kSlack <= words_.size()) { return; }
    const std::size_t half_more = std::size_t{begun_} + begun_ / 2 + 8;
    reserve(std::max(buckets, std::min(half_more, kMostBuckets)), kind_);
}

template <std::size_t Dim>
void BucketStore<Dim>::reserve(std::size_t buckets, const CrowdKind<Dim>& kind) {
    if (buckets > kMostBuckets) { throw std::bad_alloc(); }
    const std::size_t bucket_words =
        kRoom * simd::Fields<Dim>::count(kind.own_half_extents, kind.groups);
    const auto words_for = [&](std::size_t count) { return count * bucket_words + simd::kSlack; };
    const bool more_words = words_for(buckets) > words_.size();
    const bool more_links = buckets > link_room_;
    if (!more_words && !more_links) { return; }

    const std::size_t used = begun_;
    // A little more than asked, so that a crowd that varies a little does not allocate each frame.
    const std::size_t room = std::min(kMostBuckets, buckets + buckets / 32);
    WordBuffer words;
    Array<Link> links;
    if (more_words) { words = WordBuffer(words_for(room)); }
    if (more_links) { links = make_array<Link>(room); }
    if (more_words) {
        const std::size_t kept = used * kRoom * fields_;
        if (kept != 0) { std::memcpy(words.data(), words_.data(), kept * sizeof(std::uint32_t)); }
        std::memset(words.data() + kept, 0, (words.size() - kept) * sizeof(std::uint32_t));
        words_ = std::move(words);
    }
    if (more_links) {
        std::copy_n(links_.get(), used, links.get());
        links_ = std::move(links);
        link_room_ = room;
    }
}

template class BucketStore<2>;
template class BucketStore<3>;

} // namespace throng
