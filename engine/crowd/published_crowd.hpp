// A crowd that readers may ask while the next frame is built.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../agents/agents.hpp"
#include "../core/executor.hpp"
#include "../core/state_pointer.hpp"
#include "../core/status.hpp"
#include "crowd.hpp"
#include "snapshots.hpp"

#include <cstddef>
#include <span>

namespace throng {

template <std::size_t Dim>
class EditLog;

/// Readers on any threads hold the frame that was published last, and ask it, while the next is
/// built: see Snapshots, and docs/snapshots.md.
///
/// One thread at a time may change it; any number of threads may acquire(). All frames have the
/// cells of the frame before, unless an update lays others. They share their statics, until these
/// are replaced or edited. Agents are named by their indices. The answers of a frame, their order
/// included, and what save() writes depend only on the agents of the last update(), the edits since
/// then, the statics with theirs, the settings and the cells, never on what readers held.
template <std::size_t Dim>
class THRONG_API PublishedCrowd {
public:
    PublishedCrowd();

    /// Sets the settings of frames to come, and forgets all agents and statics. Frames that are
    /// published stay as they are.
    Status configure(const CrowdSettings<Dim>& settings, const CrowdKind<Dim>& kind = {});

    /// Builds the next frame and publishes it. After anything but ok, or an exception, the last
    /// published frame stays the published one.
    template <AllAgents<Dim> All = Agents<Dim>>
    Status update(const All& agents, Executor& executor = serial_executor()) {
        return build(agents, executor);
    }

    /// Builds the next frame from the last one, as Crowd::edit() does: by edits of agents, of
    /// statics, or both; and publishes it. The call makes lists once more that the frame it writes
    /// to has missed, mostly one; if these are long, or not known any more, it copies the agents
    /// first. After anything but ok, or an exception, the last frame stays the published one.
    Status edit(std::span<const Edit<Dim>> edits, Executor& executor = serial_executor());

    /// Crowd::reserve() for the frames that no reader holds. First makes frames until there are
    /// two, the published one included: enough while readers hold no older frame. Changes no
    /// answer. The cells must be known: from the settings, or from a first frame.
    Status reserve(std::size_t agents, Executor& executor = serial_executor());

    /// Replaces the statics of frames to come.
    template <AllAgents<Dim> All = Agents<Dim>>
    Status set_statics(const All& statics, Executor& executor = serial_executor(),
                       const Progress& progress = {}) {
        return like_.set_statics(statics, executor, progress);
    }

    /// Inserts, erases and moves statics of frames to come, as Crowd::edit() does; frames that are
    /// held keep the old ones. Ids of agents are refused. The first call after a
    /// frame was published copies all statics; a list of one edit then changes them in place.
    Status edit_statics(std::span<const Edit<Dim>> edits);

    /// The frame published last; empty before there is one. Never waits, and never allocates.
    [[nodiscard]] Snapshot<Crowd<Dim>> acquire() const noexcept { return frames_.acquire(); }

    /// How many frames are in memory, the one being built included.
    [[nodiscard]] std::size_t frames() const noexcept { return frames_.size(); }
    /// Frees frames that no reader holds and that are not needed now.
    void shrink() noexcept { frames_.shrink(); }

private:
    Status build(const Agents<Dim>& agents, Executor& executor);
    Status build(const WorldAgents<Dim>& agents, Executor& executor);
    template <class All>
    Status build_of(const All& agents, Executor& executor);
    template <class Change, class Note>
    Status publish(const Change& change, const Note& note);
    Status catch_up(Crowd<Dim>& frame, Executor& executor) const;

    Snapshots<Crowd<Dim>> frames_;
    Crowd<Dim> like_; ///< what all frames have in common: cells and statics, no agents
    detail::StatePointer<EditLog<Dim>> log_;
    bool has_last_ = false; ///< whether a frame has been published since configure()
};

extern template class PublishedCrowd<2>;
extern template class PublishedCrowd<3>;

} // namespace throng

#include "../../simd/isa/names_end.hpp"
