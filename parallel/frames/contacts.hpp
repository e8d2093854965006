// Pairs over time: which pairs begin, which last and which end, from one frame to the next.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../engine/agents/body.hpp"
#include "../../engine/core/executor.hpp"
#include "../../engine/core/id.hpp"
#include "../../engine/core/state_pointer.hpp"
#include "../../engine/core/status.hpp"
#include "../../simd/isa/export.hpp"
#include "../batch/asked.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

/// The ids of a pair, agents or statics: first < second.
struct Contact {
    Id first = kNoId;
    Id second = kNoId;

    friend constexpr bool operator==(const Contact&, const Contact&) noexcept = default;
};

/// Stands for the index of a pair that the frame before did not have.
inline constexpr std::uint32_t kNoContact = 0xFFFF'FFFFu;

/// The pairs of one frame, and what has changed since the frame before: for events, and for data
/// that a host keeps for each pair. Pairs of a frame are in ascending order of their first ids,
/// then of their second, whatever the order of agents in memory.
///
/// A pair lasts if both frames have it and its agents are the same. Agents are the same if they
/// have the same id; where a crowd names agents by handles, they must also have the same handle: if
/// a slot was given to another agent since the frame before, the pairs of the old agent end, and
/// those of the new one begin. Statics are the same if they have the same id, even if set_statics()
/// has replaced them.
///
/// Each update() may be about other sets, groups, radii, bodies, or another crowd: the pairs of
/// both frames are compared all the same. If one crowd names its agents by handles and the other
/// does not, or both do and it is not the same crowd, all pairs end and begin.
///
/// Results are the same bit for bit for every executor and any number of threads. Memory is kept
/// from frame to frame, so a steady load allocates nothing after a few frames. An object serves one
/// call at a time. Meanwhile other threads may ask the same crowd, and none may change it. After
/// anything but ok, or an exception (std::bad_alloc, or what the executor throws), the object is as
/// it was: its answers are those of the last frame, with which the next update() compares. An
/// object that was moved from may only be assigned to or destroyed.
template <std::size_t Dim>
class THRONG_API Contacts {
public:
    /// Borrows the executor, which must outlive the object.
    explicit Contacts(Executor& executor = serial_executor());

    /// Takes the next frame: all pairs whose boxes overlap, or with Body::disc whose discs do, as
    /// Batch::pairs() finds them. Refuses two grids, and more than kMostPairs.
    Status update(const PairsOf<Dim>& all, std::uint32_t groups = kAllGroups,
                  Body body = Body::box);
    /// Takes the next frame: all pairs that are within `radius` of each other, by their centres or
    /// by their bodies, as Batch::pairs_within() finds them. Refuses what update() refuses.
    Status update_within(const PairsOf<Dim>& all, float radius, std::uint32_t groups = kAllGroups,
                         Body body = Body::centre);

    // Answers: valid until the next update() or clear().

    /// All pairs of this frame.
    [[nodiscard]] std::span<const Contact> pairs() const noexcept;
    /// For each of pairs(), its index in the pairs of the frame before; kNoContact if the pair
    /// begins.
    [[nodiscard]] std::span<const std::uint32_t> previous() const noexcept;
    /// The indices of the pairs that begin, ascending.
    [[nodiscard]] std::span<const std::uint32_t> began() const noexcept;
    /// The pairs of the frame before that have ended, in the order that they had.
    [[nodiscard]] std::span<const Contact> ended() const noexcept;
    /// For each of ended(), its index in the pairs of the frame before.
    [[nodiscard]] std::span<const std::uint32_t> ended_previous() const noexcept;

    /// Forgets all pairs: there are no answers, and in the next frame every pair begins.
    void clear() noexcept;

    /// Bytes of answers and scratch.
    [[nodiscard]] std::size_t memory() const noexcept;
    /// Gives the scratch back; keeps the answers.
    void release() noexcept;

    static constexpr std::uint64_t kMostPairs = 3'000'000'000;

private:
    struct State;
    detail::StatePointer<State> state_;
};

extern template class Contacts<2>;
extern template class Contacts<3>;

} // namespace throng

#include "../../simd/isa/names_end.hpp"
