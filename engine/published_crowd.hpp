// A crowd that is asked while it is updated.
#pragma once

#include "../simd/export.hpp"
#include "agents.hpp"
#include "crowd.hpp"
#include "executor.hpp"
#include "snapshots.hpp"
#include "status.hpp"

#include <cstddef>

namespace throng {

/// Readers on any threads keep the frame that was published last, and ask it, while the next is
/// built: see Snapshots, and docs/snapshots.md.
///
/// One thread at a time changes it; any number acquire(). All frames have the same cells, those of
/// the first, and share statics, until set_statics() builds new ones. Frames are built from whole
/// crowds, by update(), and are not edited: agents are known by their indices.
template <std::size_t Dim>
class THRONG_API PublishedCrowd {
public:
    PublishedCrowd() = default;

    /// Lays out the frames from the next update on, and forgets the statics; frames that are held
    /// stay as they are.
    Status configure(const CrowdSettings<Dim>& settings, const CrowdKind<Dim>& kind = {});

    /// Builds the next frame and publishes it. After anything but ok, or an exception, the last
    /// frame is still the published one.
    Status update(const Agents<Dim>& agents, Executor& executor = serial_executor());
    Status update(const FarAgents<Dim>& agents, Executor& executor = serial_executor());

    /// What never moves, from the next update on.
    Status set_statics(const Agents<Dim>& statics, Executor& executor = serial_executor(),
                       const Progress& progress = {});
    Status set_statics(const FarAgents<Dim>& statics, Executor& executor = serial_executor(),
                       const Progress& progress = {});

    /// The last frame; nothing before the first update. Never waits, and never allocates.
    [[nodiscard]] Snapshot<Crowd<Dim>> acquire() const noexcept { return frames_.acquire(); }

    /// How many frames there are in memory, those that are built among them.
    [[nodiscard]] std::size_t frames() const noexcept { return frames_.size(); }
    /// Gives back frames that nobody holds.
    void shrink() noexcept { frames_.shrink(); }

private:
    template <class Everybody>
    Status build(const Everybody& agents, Executor& executor);

    Crowd<Dim> like_; ///< what all frames have in common: cells and statics, and no agents
    Snapshots<Crowd<Dim>> frames_;
};

extern template class PublishedCrowd<2>;
extern template class PublishedCrowd<3>;

} // namespace throng
