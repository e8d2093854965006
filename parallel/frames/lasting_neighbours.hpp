// Neighbour lists that are kept while agents move little: Verlet lists.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../engine/agents/agents.hpp"
#include "../../engine/agents/found.hpp"
#include "../../engine/agents/nearest.hpp"
#include "../../engine/agents/world_agents.hpp"
#include "../../engine/core/executor.hpp"
#include "../../engine/core/function_ref.hpp"
#include "../../engine/core/state_pointer.hpp"
#include "../../engine/crowd/crowd.hpp"
#include "../../engine/crowd/sets.hpp"
#include "../../simd/isa/export.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

/// The kind of lists to keep.
struct LastingSettings {
    /// As for Batch::neighbours(). With `later_only` a list leaves out the neighbours that come
    /// before the asker in order(), the order when the lists were made. Batch::neighbours() goes by
    /// the crowd's present order, so it may list a pair with the other agent instead:
    /// docs/lasting-neighbours.md. Bodies other than centres are refused.
    Neighbourhood neighbourhood{};
    /// Lists are made for radius + skin, and last until an agent has moved farther than half of the
    /// skin. Zero: until an agent has moved at all.
    float skin = 0.0f;
    Sets sets = Sets::all; ///< the sets that are found; all agents ask

    friend constexpr bool operator==(const LastingSettings&,
                                     const LastingSettings&) noexcept = default;
};

/// The neighbours of every agent over many frames. Lists are made with a skin around the radius,
/// and kept while no agent has moved farther than half of the skin. As long as lists last, a frame
/// costs one read of every position, and neither an update of the crowd nor a search.
///
/// Answers are complete: neighbours() has the agents that Batch::neighbours() would have after an
/// update of the crowd in the same frame, even those exactly on the rim. They come in the order of
/// the frame in which the lists were made. See docs/lasting-neighbours.md.
///
/// The crowd stays the caller's. While lists last, the crowd is not updated: it has the positions
/// of the frame in which the lists were made. Any other change of the crowd or its statics ends the
/// lists, and so does an update() with another crowd. Only update() calls count as frames.
///
/// An object serves one call at a time, and keeps its memory: once lists have been filtered,
/// nothing is allocated while they last. After anything but ok, or an exception, the lists are as
/// they were before the call, and can be used; if the crowd had been updated by then, the next
/// update() makes new ones. An object that was moved from may only be assigned to or destroyed.
template <std::size_t Dim>
class THRONG_API LastingNeighbours {
public:
    /// Receives the neighbours of one agent.
    using Visitor = FunctionRef<void(Id asker, std::span<const Id> neighbours)>;

    /// Borrows the executor, which must outlive this object.
    explicit LastingNeighbours(const LastingSettings& settings,
                               Executor& executor = serial_executor());

    /// Takes the next frame. Keeps the lists if they hold for these agents: the number, half
    /// extents and groups are the same, no agent has moved too far, and the crowd is unchanged
    /// since. Else updates the crowd and makes new lists. Refuses what Crowd::update()
    /// refuses, a radius or a skin that is negative or not finite, and a radius and skin that
    /// together are not well below kLargest.
    template <AllAgents<Dim> All = Agents<Dim>>
    Status update(Crowd<Dim>& crowd, const All& agents) {
        return keep_or_make(crowd, agents);
    }

    /// The neighbours within the radius; the neighbours of order()[k] are hits.of(k). Takes the
    /// positions of the last update(), or others for which the lists hold too. Where they do not,
    /// the first agent that has moved too far is refused, with Cause::out_of_range.
    template <AllAgents<Dim> All = Agents<Dim>>
    Status neighbours(const All& agents, Hits& hits) {
        return list(agents, hits);
    }

    /// The same without an array, for the caller's own kernels: calls visitor(asker, neighbours)
    /// once for every agent, from several threads at once.
    template <AllAgents<Dim> All = Agents<Dim>>
    Status visit(const All& agents, Visitor visitor) {
        return hand_out(agents, visitor);
    }

    // The lists. Spans are valid until the next update().

    /// The agents in the order of the lists, that of Crowd::order() when they were made.
    [[nodiscard]] std::span<const Id> order() const noexcept;
    /// candidates().of(k) has all agents that are within the radius of order()[k] now, and some
    /// that are farther away.
    [[nodiscard]] const Hits& candidates() const noexcept;

    /// How often lists were made.
    [[nodiscard]] std::uint64_t made() const noexcept;
    /// How many frames have kept the lists since they were made; zero in the frame that made them.
    [[nodiscard]] std::uint64_t lasted() const noexcept;
    /// The greatest distance, in any frame since the lists were made, between an agent and its
    /// position at that time. Zero where the skin is zero.
    [[nodiscard]] float moved() const noexcept;

    [[nodiscard]] const LastingSettings& settings() const noexcept;
    /// Bytes of lists and scratch.
    [[nodiscard]] std::size_t memory() const noexcept;
    /// Gives all memory back, the lists included.
    void release() noexcept;

private:
    struct State;

    Status keep_or_make(Crowd<Dim>& crowd, const Agents<Dim>& agents);
    Status keep_or_make(Crowd<Dim>& crowd, const WorldAgents<Dim>& agents);
    Status list(const Agents<Dim>& agents, Hits& hits);
    Status list(const WorldAgents<Dim>& agents, Hits& hits);
    Status hand_out(const Agents<Dim>& agents, Visitor visitor);
    Status hand_out(const WorldAgents<Dim>& agents, Visitor visitor);

    detail::StatePointer<State> state_;
};

extern template class LastingNeighbours<2>;
extern template class LastingNeighbours<3>;

} // namespace throng

#include "../../simd/isa/names_end.hpp"
