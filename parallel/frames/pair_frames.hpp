// Two frames of pairs: sorts the pairs of a new frame and compares them with the last frame's.
// Internal.
#pragma once

#include "../../engine/core/executor.hpp"
#include "../../engine/core/id.hpp"
#include "../../engine/core/status.hpp"
#include "../../engine/memory/checked_loop.hpp"
#include "contacts.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng {

/// The agents that the ids of a frame stand for.
struct AgentNames {
    std::uint32_t owner = 0;                ///< the table of the handles; 0: agents have ids only
    std::vector<std::uint32_t> generations; ///< by id; may be longer than `slots`
    std::size_t slots = 0;
};

/// The last frame, the next one in the making, and scratch.
///
/// A new frame takes three steps: begin(); place() for all pairs, and again while make_room()
/// returns true; finish(). Until finish() has succeeded, the last frame is as it was.
///
/// Pairs go straight to buckets of their smaller ids while they are in the cache, without a list in
/// between. The order in which they come does not matter: no two pairs are equal, so sorting has
/// only one result.
class PairFrames {
public:
    struct Frame {
        std::vector<Contact> pairs, ended; // like the next three, may be longer than needed
        std::vector<std::uint32_t> previous, began, ended_previous;
        std::size_t count = 0, begins = 0, ends = 0;
        std::vector<std::uint32_t> bounds; // where each bucket begins, and where the last ends
        unsigned shift = 0;
        AgentNames names;
    };

    [[nodiscard]] const Frame& last() const noexcept { return last_; }
    /// To be filled in before finish().
    [[nodiscard]] AgentNames& next_names() noexcept { return next_.names; }

    /// Begins a new frame. The ids of most pairs should be below `id_bound`.
    void begin(std::size_t id_bound);
    /// Takes pairs, whose ids may be in either order. May be called from several threads at once,
    /// unless `alone` is true: a promise that only this thread calls.
    void place(std::span<const Id> first, std::span<const Id> second, bool alone) noexcept;
    /// After all pairs were placed: returns false if all had room; else makes room and returns
    /// true.
    [[nodiscard]] bool make_room();
    /// Refuses and throws what run_blocks() does.
    Status finish(Executor& executor);

    void clear() noexcept;
    [[nodiscard]] std::size_t memory() const noexcept;
    void release() noexcept;

private:
    struct Events {
        std::size_t begins, ends;
    };
    enum class Same : std::uint8_t { by_id, by_handle, none };

    [[nodiscard]] std::size_t buckets() const noexcept { return begins_.size() - 1; }
    void clear_cursors() noexcept;
    [[nodiscard]] Same how_same() const noexcept;
    void find_last_bounds();
    void sort_bucket(std::size_t bucket, std::span<std::uint32_t> counts) noexcept;
    template <Same kSame>
    [[nodiscard]] Events compare_bucket(std::size_t bucket) noexcept;
    void gather_events() noexcept;

    Frame last_, next_;
    std::vector<Contact> placed_;
    std::vector<std::uint64_t> cursors_;     // where the next pair of each bucket goes
    std::vector<std::uint64_t> sizes_;       // how much room each bucket gets
    std::vector<std::uint32_t> begins_;      // where each bucket's room begins, and the last ends
    std::atomic<bool> crowded_ = false;      // some pairs had no room
    std::vector<std::uint32_t> last_bounds_; // `bounds` of the last frame, for the next's buckets
    std::vector<Events> events_;             // how many pairs begin and end, by bucket
    std::vector<std::uint32_t> ended_;       // indices of ended pairs, from each bucket's begin on
    std::vector<std::uint32_t> counts_;      // scratch of the blocks that sort
    LoopClaims claims_;
};

} // namespace throng
