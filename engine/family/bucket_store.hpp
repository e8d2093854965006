// Stores the agents of loose cells in chains of small buckets. Internal to the engine.
#pragma once

#include "../../simd/isa/slack.hpp"
#include "../../simd/views/grid_view.hpp"
#include "../../simd/views/scan_span.hpp"
#include "../agents/agents.hpp"
#include "../agents/point.hpp"
#include "../core/id.hpp"
#include "../memory/vector.hpp"
#include "../memory/word_buffer.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace throng {

inline constexpr std::uint32_t kNoBucket = ~0u;

/// A pool of buckets, each of kRoom agents. A cell with more agents has a chain of buckets: only
/// the first of a chain, its head, may have room left. An empty cell has no bucket.
///
/// A *slot* is bucket * kRoom + the agent's number in the bucket. Only reserve() allocates.
template <std::size_t Dim>
class BucketStore {
public:
    static constexpr std::uint32_t kRoom = 16;
    static constexpr std::size_t kMostBuckets = ~std::uint32_t{0} / kRoom;
    static_assert(kRoom <= simd::kSlack); // so a vector read past a field's end stays in the slack

    /// Sets the kind of agents to store. Forgets all agents, and keeps the memory.
    void configure(const CrowdKind<Dim>& kind) noexcept {
        kind_ = kind;
        fields_ = simd::Fields<Dim>::count(kind.own_half_extents, kind.groups);
        clear();
    }

    /// Makes room for `buckets` buckets in all; grows by half at least. Throws std::bad_alloc, and
    /// then nothing has changed.
    void reserve(std::size_t buckets);

    /// reserve() for agents of `kind`, before configure(); makes hardly more room than asked.
    void reserve(std::size_t buckets, const CrowdKind<Dim>& kind);

    /// How many buckets are in use. The next add() needs at most one more.
    [[nodiscard]] std::size_t buckets() const noexcept { return begun_ - free_count_; }

    /// Adds an agent to the chain that begins at `head`, kNoBucket if the chain is empty. Returns
    /// the agent's slot. The extent and the mask are ignored if the crowd has none.
    std::uint32_t add(std::uint32_t& head, Id id, const Point<Dim>& position,
                      const Point<Dim>& half, std::uint32_t groups) noexcept {
        if (head == kNoBucket || links_[head].count == kRoom) { push(head); }
        const std::uint32_t slot = head * kRoom + links_[head].count++;
        word(slot, simd::Fields<Dim>::kId) = id;
        set_position(slot, position);
        if (kind_.own_half_extents) {
            for (std::size_t a = 0; a < Dim; ++a) {
                word(slot, simd::Fields<Dim>::kHalfExtent + a) =
                    std::bit_cast<std::uint32_t>(half[a]);
            }
        }
        if (kind_.groups) { word(slot, groups_field()) = groups; }
        return slot;
    }

    /// Removes the agent at `slot` of the chain. The last agent of the head moves there: returns
    /// the id of the agent that moved, or kNoId if none did.
    Id remove(std::uint32_t& head, std::uint32_t slot) noexcept {
        const std::uint32_t last = head * kRoom + --links_[head].count;
        Id moved = kNoId;
        if (last != slot) {
            for (std::uint32_t f = 0; f < fields_; ++f) {
                word(slot, f) = word(last, f);
            }
            moved = id(slot);
        }
        if (links_[head].count == 0) { pop(head); }
        return moved;
    }

    void set_position(std::uint32_t slot, const Point<Dim>& position) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            word(slot, simd::Fields<Dim>::kPosition + a) =
                std::bit_cast<std::uint32_t>(position[a]);
        }
    }

    /// Takes the next `count` buckets, which are adjacent, and returns the first; the caller fills
    /// them at once, through words() and link(). No bucket may have been given back since clear().
    std::uint32_t take(std::uint32_t count) noexcept {
        const std::uint32_t first = begun_;
        begun_ += count;
        return first;
    }
    void link(std::uint32_t bucket, std::uint32_t next, std::uint32_t count) noexcept {
        links_[bucket] = {next, count};
    }

    /// Gives all buckets back.
    void clear() noexcept {
        begun_ = 0;
        free_ = kNoBucket;
        free_count_ = 0;
    }

    /// How many agents are in a bucket.
    [[nodiscard]] std::uint32_t count(std::uint32_t bucket) const noexcept {
        return links_[bucket].count;
    }
    /// The next of the chain, or kNoBucket.
    [[nodiscard]] std::uint32_t next(std::uint32_t bucket) const noexcept {
        return links_[bucket].next;
    }
    /// Field f of agent i in a bucket is words(bucket)[f * kRoom + i].
    [[nodiscard]] std::uint32_t* words(std::uint32_t bucket) const noexcept {
        return words_.data() + std::size_t{bucket} * kRoom * fields_;
    }
    [[nodiscard]] simd::ScanSpan span(std::uint32_t bucket) const noexcept {
        return {words(bucket), kRoom, links_[bucket].count};
    }

    [[nodiscard]] Id id(std::uint32_t slot) const noexcept {
        return word(slot, simd::Fields<Dim>::kId);
    }
    [[nodiscard]] Point<Dim> position(std::uint32_t slot) const noexcept {
        return point(slot, simd::Fields<Dim>::kPosition);
    }
    /// The agent's own half extent, or the common one.
    [[nodiscard]] Point<Dim> half(std::uint32_t slot) const noexcept {
        return kind_.own_half_extents ? point(slot, simd::Fields<Dim>::kHalfExtent)
                                      : kind_.common_half_extent;
    }
    [[nodiscard]] std::uint32_t groups(std::uint32_t slot) const noexcept {
        return kind_.groups ? word(slot, groups_field()) : kAllGroups;
    }

    [[nodiscard]] const CrowdKind<Dim>& kind() const noexcept { return kind_; }
    [[nodiscard]] std::uint32_t fields() const noexcept { return fields_; }
    /// The first bucket that was not in use since clear(): all buckets before have sound links.
    [[nodiscard]] std::uint32_t begun() const noexcept { return begun_; }
    /// The first of the list of buckets that were given back; next() leads from one to the next.
    [[nodiscard]] std::uint32_t first_free() const noexcept { return free_; }
    [[nodiscard]] std::size_t memory() const noexcept {
        return words_.bytes() + link_room_ * sizeof(Link);
    }

private:
    struct Link {
        std::uint32_t next, count;
    };

    std::uint32_t& word(std::uint32_t slot, std::size_t field) const noexcept {
        return words(slot / kRoom)[field * kRoom + slot % kRoom];
    }
    [[nodiscard]] Point<Dim> point(std::uint32_t slot, std::size_t field) const noexcept {
        Point<Dim> point;
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] = std::bit_cast<float>(word(slot, field + a));
        }
        return point;
    }
    [[nodiscard]] std::uint32_t groups_field() const noexcept {
        return simd::Fields<Dim>::groups(kind_.own_half_extents);
    }

    void push(std::uint32_t& head) noexcept {
        std::uint32_t bucket = begun_;
        if (free_ != kNoBucket) {
            bucket = free_;
            free_ = links_[free_].next;
            --free_count_;
        } else {
            ++begun_;
        }
        links_[bucket] = {head, 0};
        head = bucket;
    }
    void pop(std::uint32_t& head) noexcept {
        const std::uint32_t bucket = head;
        head = links_[bucket].next;
        links_[bucket].next = free_;
        free_ = bucket;
        ++free_count_;
    }

    CrowdKind<Dim> kind_{};
    std::uint32_t fields_ = simd::Fields<Dim>::count(false, false);
    WordBuffer words_; // always initialised: kernels read past the last agent
    Array<Link> links_;
    std::size_t link_room_ = 0;
    std::uint32_t begun_ = 0;
    std::uint32_t free_ = kNoBucket;
    std::uint32_t free_count_ = 0;
};

extern template class BucketStore<2>;
extern template class BucketStore<3>;

} // namespace throng
