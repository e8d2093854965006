// The kernel of neighbour_walk.hpp that writes lists of neighbours. For *.kernel.cpp files only.
//
// The agents of a packet have nearly the same neighbours. Each neighbour of any of them is noted
// once, with a bit for each agent of the packet that finds it. Then each agent's list is picked out
// of the notes, a vector of notes at a time.
#pragma once

#include "../isa/packed_lanes.hpp"
#include "../views/query_block.hpp"
#include "neighbour_walk.hpp"

namespace throng::simd {

/// Where lists are written, and how far. Lists whose ends are known beforehand are cut off where
/// the room ends; other lists are written only while there surely is room.
struct ListOutput {
    BatchOutput& out;
    bool ends_known;          ///< out.offsets already says where each list ends
    std::size_t answered = 0; ///< how many agents have their lists
    bool stopped = false;     ///< there was no room for an agent's list; no later list is written
};

struct NeighbourLists {
    ListOutput& lists;

    [[nodiscard]] [[gnu::always_inline]] bool stopped() const noexcept { return lists.stopped; }

    template <class V>
    class Lanes {
    public:
        using Arch = typename V::Arch;

        [[gnu::always_inline]] Lanes(const NeighbourLists& kernel,
                                     const typename V::Agents& agents) noexcept {
            if (!kernel.lists.ends_known) { return; }
            for (std::uint32_t lane = 0; lane < agents.count; ++lane) {
                end_[lane] = kernel.lists.out.offsets[kernel.lists.answered + lane];
            }
        }
        [[gnu::always_inline]] void visit(const NeighbourLists& kernel,
                                          const typename V::Other& other) noexcept {
            const std::uint32_t finders = lane_bits<Arch>(other.near);
            id_[noted_] = other.id();
            finders_[noted_] = finders;
            noted_ += finders != 0 ? 1 : 0;
            if (noted_ == kRoom) [[unlikely]] {
                if (kernel.lists.ends_known) {
                    put_where_known(kernel.lists.out);
                } else {
                    noted_ = 0;
                    overflowed_ = true;
                }
            }
        }
        [[gnu::always_inline]] void finish(const NeighbourLists& kernel,
                                           const typename V::Agents& agents) noexcept {
            ListOutput& output = kernel.lists;
            if (output.ends_known) {
                put_where_known(output.out);
                output.answered += agents.count;
            } else {
                put_behind(output, agents.count);
            }
        }

    private:
        static constexpr std::uint32_t kRoom = 512;

        /// Writes the ids that a lane finds, and returns the end. May overwrite kSlack words more.
        [[gnu::always_inline]] std::uint32_t* put(std::uint32_t lane,
                                                  std::uint32_t* to) const noexcept {
            const Words<Arch> finder(1u << lane);
            const Words<Arch> zero(0u);
            for (std::uint32_t i = 0; i < noted_; i += kLanes<Arch>) {
                const std::uint32_t bits =
                    lane_bits<Arch>((Words<Arch>::load_unaligned(finders_ + i) & finder) != zero);
                to = compress_store<Arch>(to, Words<Arch>::load_unaligned(id_ + i),
                                          first_lanes<Arch>(bits, noted_ - i));
            }
            return to;
        }

        /// Writes the lists of the first `lanes` lanes after the lists written before.
        [[gnu::always_inline]] void put_behind(ListOutput& output, std::uint32_t lanes) noexcept {
            if (overflowed_ || output.stopped) {
                output.stopped = true;
                return;
            }
            BatchOutput& out = output.out;
            for (std::uint32_t lane = 0; lane < lanes; ++lane) {
                if (out.used + noted_ + kSlack > out.capacity) {
                    output.stopped = true;
                    return;
                }
                out.used = static_cast<std::uint64_t>(put(lane, out.ids + out.used) - out.ids);
                out.offsets[++output.answered] = out.used;
            }
        }

        /// Adds the noted ids to the lists of the lanes that find them, while there is room.
        [[gnu::noinline]] void put_where_known(const BatchOutput& out) noexcept {
            std::uint32_t ids[kRoom + kSlack];
            for (std::uint32_t lane = 0; lane < kLanes<Arch>; ++lane) {
                const std::uint32_t* const end = put(lane, ids);
                for (const std::uint32_t* id = ids; id != end; ++id, ++end_[lane]) {
                    if (end_[lane] < out.capacity) { out.ids[end_[lane]] = *id; }
                }
            }
            noted_ = 0;
        }

        std::uint32_t id_[kRoom + kSlack], finders_[kRoom + kSlack];
        std::uint32_t noted_ = 0;
        bool overflowed_ = false;
        std::uint64_t end_[kLanes<Arch>]; // the end of each lane's list so far, if ends_known
    };
};

} // namespace throng::simd
