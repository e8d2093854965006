// Where the agents of each rank are, so that questions find their ranks. Internal to distributed/.
#pragma once

#include "../engine/agents/agents.hpp"
#include "../engine/shapes/bounds.hpp"
#include "cuts.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace throng {

/// The box of the centres of a rank's agents; without agents it is inverted.
template <std::size_t Dim>
struct RankBox {
    Box<Dim> centres = {Point<Dim>::all(std::numeric_limits<float>::infinity()),
                        Point<Dim>::all(-std::numeric_limits<float>::infinity())};
    std::uint64_t agents = 0;

    void add(const Box<Dim>& box) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            centres.lo[a] = std::min(centres.lo[a], box.lo[a]);
            centres.hi[a] = std::max(centres.hi[a], box.hi[a]);
        }
    }

    /// The box as words, for Ranks::gather().
    static constexpr std::size_t kWords = Dim + 1;
    using Words = std::array<std::uint64_t, kWords>;
    [[nodiscard]] Words words() const noexcept;
    [[nodiscard]] static RankBox from(std::span<const std::uint64_t> words) noexcept;
};

/// The boxes of all ranks, in a tree: bricks come from repeated halving, so ranks with close
/// numbers are mostly close in space.
template <std::size_t Dim>
class RankBounds {
public:
    /// Makes room for the boxes of all ranks. Throws std::bad_alloc.
    void make_room(std::uint32_t ranks);
    /// Takes the words of all ranks, and the largest half extent of all agents. There must be room.
    void take(std::span<const std::uint64_t> words, const Point<Dim>& half_extent) noexcept;

    /// Calls visit(rank), in ascending order, for each rank that may have agents which the gate's
    /// shape finds.
    template <class Visit>
    void for_each(const ShapeGate<Dim>& gate, const Visit& visit) const {
        walk([&](const RankBox<Dim>& box) { return gate.may_hold(cover(box)); }, visit);
    }

    /// Calls visit(rank) for each rank that may have agents at most `distance2` away, squared.
    template <class Visit>
    void for_each_near(const Point<Dim>& point, Body body, double distance2,
                       const Visit& visit) const {
        walk(
            [&](const RankBox<Dim>& box) { return least_distance2(point, body, box) <= distance2; },
            visit);
    }

    /// Calls visit(rank, agents) for ranks that have agents, the nearest first, until visit()
    /// returns false. `agents` is the rank's number of agents. Throws std::bad_alloc.
    template <class Visit>
    void nearest_first(const Point<Dim>& point, Body body, const Visit& visit) const {
        std::vector<Waiting> heap;
        const auto push = [&](const Part& part) {
            const RankBox<Dim>& box = box_of(part);
            if (box.agents == 0) { return; }
            heap.push_back({least_distance2(point, body, box), part});
            std::push_heap(heap.begin(), heap.end());
        };
        push({0, static_cast<std::uint32_t>(leaves_.size()), 0});
        while (!heap.empty()) {
            std::pop_heap(heap.begin(), heap.end());
            const Part part = heap.back().part;
            heap.pop_back();
            if (part.ranks > 1) {
                push(part.low());
                push(part.high());
            } else if (!visit(part.first, leaves_[part.first].agents)) {
                return;
            }
        }
    }

    /// A box around the covers of a rank's agents.
    [[nodiscard]] Box<Dim> cover_of_rank(std::uint32_t rank) const noexcept {
        return cover(leaves_[rank]);
    }

    /// Bytes of heap.
    [[nodiscard]] std::size_t memory() const noexcept {
        return (leaves_.capacity() + inner_.capacity()) * sizeof(RankBox<Dim>);
    }

private:
    using Part = detail::CutPart;

    /// Parts still to be visited, the nearest on top.
    struct Waiting {
        double distance2;
        Part part;
        friend bool operator<(const Waiting& a, const Waiting& b) noexcept {
            return a.distance2 > b.distance2 ||
                   (a.distance2 == b.distance2 && a.part.first > b.part.first);
        }
    };

    [[nodiscard]] const RankBox<Dim>& box_of(const Part& part) const noexcept {
        return part.ranks == 1 ? leaves_[part.first] : inner_[part.cut];
    }
    const RankBox<Dim>& join(const Part& part) noexcept;
    [[nodiscard]] Box<Dim> cover(const RankBox<Dim>& box) const noexcept {
        // Rounding is monotone, so covers at the corners hold the covers of all centres between
        // them.
        return {cover_of(box.centres.lo, half_extent_).lo,
                cover_of(box.centres.hi, half_extent_).hi};
    }
    /// A lower bound of the squared distance to any agent in the box, whatever the rounding.
    [[nodiscard]] double least_distance2(const Point<Dim>& point, Body body,
                                         const RankBox<Dim>& box) const noexcept;

    template <class Enter, class Visit>
    void walk(const Enter& enter, const Visit& visit) const {
        if (!leaves_.empty()) {
            walk({0, static_cast<std::uint32_t>(leaves_.size()), 0}, enter, visit);
        }
    }
    template <class Enter, class Visit>
    void walk(const Part& part, const Enter& enter, const Visit& visit) const {
        const RankBox<Dim>& box = box_of(part);
        if (box.agents == 0 || !enter(box)) { return; }
        if (part.ranks == 1) {
            visit(part.first);
        } else {
            walk(part.low(), enter, visit);
            walk(part.high(), enter, visit);
        }
    }

    std::vector<RankBox<Dim>> leaves_; ///< by rank
    std::vector<RankBox<Dim>> inner_;  ///< by cut
    Point<Dim> half_extent_{};
};

extern template struct RankBox<2>;
extern template struct RankBox<3>;
extern template class RankBounds<2>;
extern template class RankBounds<3>;

} // namespace throng
