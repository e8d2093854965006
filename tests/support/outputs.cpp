// Hashes of a batch's answers.
#include "outputs.hpp"

#include <algorithm>
#include <bit>

namespace throng::test {

namespace {

/// A hash of the answer; zero if the call was refused.
template <class Add>
Outcome hashed(const Found& found, const Add& add) {
    if (!found.status.ok()) { return {found.status, 0}; }
    Hash hash;
    hash.add(found.count);
    add(hash);
    return {found.status, hash.value()};
}

void add(Hash& hash, std::span<const std::uint64_t> offsets, const Ids& ids) {
    for (const std::uint64_t offset : offsets) {
        hash.add(offset);
    }
    hash.add(std::span(ids).first(std::min<std::size_t>(offsets.back(), ids.size())));
}
void add(Hash& hash, std::span<const Near> nearest, std::span<const std::uint32_t> counts) {
    for (const Near& near : nearest) {
        hash.add(std::uint64_t{std::bit_cast<std::uint32_t>(near.distance2)} << 32 | near.id);
    }
    hash.add(counts);
}
void add(Hash& hash, const Ids& first, const Ids& second, std::uint64_t count) {
    hash.add(std::span(first).first(std::min(count, std::uint64_t{first.size()})));
    hash.add(std::span(second).first(std::min(count, std::uint64_t{second.size()})));
}

} // namespace

Outputs::Outputs(std::size_t questions, std::size_t room)
    : offsets(questions + 1), counts(questions), ids(room), seconds(room),
      nearest(kNear * questions) {}

Outcome Outputs::listed(const Status& status) const {
    return hashed({0, status}, [&](Hash& hash) { add(hash, hits.offsets, hits.ids); });
}
Outcome Outputs::listed_pairs(const Status& status) const {
    return hashed(Found::of(pairs.count, status),
                  [&](Hash& hash) { add(hash, pairs.first, pairs.second, pairs.count); });
}
Outcome Outputs::listed_near(const Status& status) const {
    return hashed({0, status}, [&](Hash& hash) { add(hash, near_hits.nearest, near_hits.counts); });
}
Outcome Outputs::buffered(const Found& found, std::size_t questions) const {
    return hashed(found,
                  [&](Hash& hash) { add(hash, std::span(offsets).first(questions + 1), ids); });
}
Outcome Outputs::buffered_pairs(const Found& found) const {
    return hashed(found, [&](Hash& hash) { add(hash, ids, seconds, found.count); });
}
Outcome Outputs::buffered_near(const Found& found, std::size_t questions) const {
    return hashed(found, [&](Hash& hash) {
        add(hash, std::span(nearest).first(kNear * questions), std::span(counts).first(questions));
    });
}
Outcome Outputs::counted(const Found& found, std::size_t questions) const {
    return hashed(found, [&](Hash& hash) { hash.add(std::span(counts).first(questions)); });
}
Outcome Outputs::met(const Found& found) const {
    return hashed(found, [&](Hash& hash) {
        for (const PathHit& hit : path_hits) {
            hash.add(std::bit_cast<std::uint32_t>(hit.time));
            hash.add(hit.id);
        }
    });
}
Outcome Outputs::visited(const Found& found) const {
    return hashed(found, [&](Hash& hash) {
        for (const std::uint64_t part : visited_) {
            hash.add(part);
        }
    });
}

bool Outputs::has_no_hits() const noexcept { return hits.offsets.empty() && hits.total() == 0; }
bool Outputs::has_no_near() const noexcept {
    return near_hits.nearest.empty() && near_hits.counts.empty();
}
void Outputs::forget() {
    hits = {};
    pairs = {};
    near_hits = {};
}

} // namespace throng::test
