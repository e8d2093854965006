// Crowds that can be asked during updates, and the frames of them that hosts hold.
#pragma once

#include "../../engine/crowd/published_crowd.hpp"
#include "../../engine/crowd/snapshots.hpp"
#include "../held.hpp"
#include "../memory.hpp"
#include "crowd.hpp"

#include <cstddef>
#include <memory>
#include <utility>
#include <variant>

namespace throng::c {

struct PublishedObject {
    std::shared_ptr<HostMemory> memory; // outlives the memory taken from it
    std::variant<PublishedCrowd<2>, PublishedCrowd<3>> published;

    template <std::size_t Dim>
    PublishedObject(std::integral_constant<std::size_t, Dim>, std::shared_ptr<HostMemory> source)
        : memory(std::move(source)), published(std::in_place_type<PublishedCrowd<Dim>>) {}
};

template <>
struct Held<throng_published> {
    using Object = PublishedObject;
    static constexpr Kind kKind = Kind::published;
};

/// A frame, and a handle of its crowd. The handle ends with the frame.
class SnapshotObject {
public:
    template <std::size_t Dim>
    SnapshotObject(Snapshot<throng::Crowd<Dim>> frame, std::shared_ptr<HostMemory> memory)
        : memory_(std::move(memory)), frame_(std::move(frame)),
          crowd_(*std::get<Snapshot<throng::Crowd<Dim>>>(frame_)),
          handle_(handles().add(Kind::crowd, &crowd_)) {}
    SnapshotObject(const SnapshotObject&) = delete;
    SnapshotObject& operator=(const SnapshotObject&) = delete;
    ~SnapshotObject() { (void)handles().remove(handle_, Kind::crowd); }

    [[nodiscard]] std::uint64_t frame() const {
        return std::visit([](const auto& frame) { return frame.frame(); }, frame_);
    }
    [[nodiscard]] throng_crowd* crowd() const noexcept {
        return static_cast<throng_crowd*>(handle_);
    }

private:
    std::shared_ptr<HostMemory> memory_; // outlives the memory taken from it
    std::variant<Snapshot<throng::Crowd<2>>, Snapshot<throng::Crowd<3>>> frame_;
    CrowdObject crowd_;
    void* handle_;
};

template <>
struct Held<throng_snapshot> {
    using Object = SnapshotObject;
    static constexpr Kind kKind = Kind::snapshot;
};

} // namespace throng::c
