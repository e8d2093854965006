// A PublishedCrowd as an index: each change publishes a frame, and the last one is asked.
#pragma once

#include "subjects.hpp"

#include <throng/engine/agents/validation.hpp>
#include <throng/engine/answers/spatial_index.hpp>
#include <throng/engine/crowd/published_crowd.hpp>
#include <throng/engine/frozen/frozen.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace throng::test {

/// Readers hold some of the frames, which validate() finds
/// changed or not.
template <std::size_t Dim>
class CrowdByFrames {
    static constexpr std::size_t kMostHeld = 3;

public:
    Status configure(const CrowdSettings<Dim>& settings, const CrowdKind<Dim>& kind) {
        held_.clear();
        const Status status = frames_->configure(settings, kind);
        return status.ok() ? publish(frames_->edit({})) : status;
    }
    Status update(const Agents<Dim>& agents) { return publish(frames_->update(agents)); }
    Status edit(std::span<const Edit<Dim>> edits) { return publish(frames_->edit(edits)); }
    Status insert(Id id, const Agent<Dim>& agent) {
        const Status status = one(Edit<Dim>::insert(id, agent));
        return status.argument == Argument::edits ? check_agent(agent, kind()) : status;
    }
    Status erase(Id id) { return one(Edit<Dim>::erase(id)); }
    Status move(Id id, const Point<Dim>& position) {
        const Status status = one(Edit<Dim>::move(id, position));
        return status.argument == Argument::edits ? check_point(position, Argument::positions)
                                                  : status;
    }
    void clear() {
        std::vector<Edit<Dim>> all;
        for (Id id = 0; id < last_->id_bound(); ++id) {
            if (last_->contains(id)) { all.push_back(Edit<Dim>::erase(id)); }
        }
        EXPECT_EQ(edit(all), Status{});
    }
    /// The next change of agents finds no frame to write to but a new one.
    void cleanup() { frames_->shrink(); }

    template <ShapeIn<Dim> Shape>
    Found visit(const Shape& shape, IndexVisitor visitor, const Filter& filter = {}) const {
        return last_->visit(shape, visitor, filter);
    }
    template <ShapeIn<Dim> Shape>
    Found query(const Shape& shape, std::span<Id> out, const Filter& filter = {}) const {
        return last_->query(shape, out, filter);
    }
    template <ShapesIn<Dim> Shapes>
    Found query(const Shapes& shapes, Hits& hits, const Filter& filter = {}) const {
        return last_->query(shapes, hits, filter);
    }
    template <ShapeIn<Dim> Shape>
    Found count(const Shape& shape, const Filter& filter = {}) const {
        return last_->count(shape, filter);
    }
    template <ShapeIn<Dim> Shape>
    Found any(const Shape& shape, const Filter& filter = {}) const {
        return last_->any(shape, filter);
    }
    Found nearest(const Point<Dim>& point, const Nearest& nearest, std::span<Near> out,
                  const Filter& filter = {}) const {
        return last_->nearest(point, nearest, out, filter);
    }
    Found visit_pairs(IndexPairVisitor visitor, std::uint32_t groups = kAllGroups) const {
        return last_->visit_pairs(visitor, groups);
    }
    void visit_cells(IndexCellVisitor<Dim> visitor) const { last_->visit_cells(visitor); }

    [[nodiscard]] std::size_t size() const noexcept { return last_->size(); }
    [[nodiscard]] bool contains(Id id) const noexcept { return last_->contains(id); }
    [[nodiscard]] const CrowdKind<Dim>& kind() const noexcept { return last_->kind(); }
    [[nodiscard]] MemoryUse memory() const noexcept { return last_->memory(); }
    [[nodiscard]] const char* validate() const {
        for (const Held& held : held_) {
            if (frozen(*held.frame) != held.bytes) { return "a frame that is held has changed"; }
        }
        return last_->validate();
    }

private:
    struct Held {
        Snapshot<Crowd<Dim>> frame;
        std::vector<std::byte> bytes;
    };
    static std::vector<std::byte> frozen(const Crowd<Dim>& crowd) {
        std::vector<std::byte> bytes;
        EXPECT_EQ(save(crowd, bytes), Status{});
        return bytes;
    }

    Status publish(const Status& status) {
        if (!status.ok()) { return status; }
        last_ = frames_->acquire();
        if (last_.frame() % 4 == 0) {
            if (held_.size() == kMostHeld) { held_.erase(held_.begin()); }
            held_.push_back({last_, frozen(*last_)});
        }
        return status;
    }
    /// A refused id is blamed as single edits blame it.
    Status one(const Edit<Dim>& edit) {
        const Status status = publish(frames_->edit({&edit, 1}));
        const bool of_id = status.cause == Cause::id_taken || status.cause == Cause::id_unknown;
        return of_id ? Status{status.cause, Argument::id, edit.id} : status;
    }

    // Indexes can be moved, and frames stay where they are.
    std::unique_ptr<PublishedCrowd<Dim>> frames_ = std::make_unique<PublishedCrowd<Dim>>();
    Snapshot<Crowd<Dim>> last_;
    std::vector<Held> held_;
};

template <std::size_t Dim>
struct InCrowdByFrames : Family<CrowdByFrames<Dim>, Dim> {
    static constexpr const char* kName = "crowd_by_frames";
};

} // namespace throng::test
