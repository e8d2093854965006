// Crowds of either dimension: a host's own, and those of its snapshots.
#pragma once

#include "../../engine/agents/edit.hpp"
#include "../../engine/crowd/crowd.hpp"
#include "../../engine/memory/vector.hpp"
#include "../held.hpp"
#include "../memory.hpp"

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

namespace throng::c {

class CrowdObject {
public:
    /// Changes a crowd in steps.
    class Stepper {
    public:
        Stepper() = default;
        Stepper(const Stepper&) = delete;
        Stepper& operator=(const Stepper&) = delete;
        virtual ~Stepper() = default;

        /// Ends its work on the crowd: the crowd is about to be destroyed.
        virtual void let_go() noexcept = 0;
    };

    /// A host's own crowd, which may be changed.
    template <std::size_t Dim>
    CrowdObject(throng::Crowd<Dim> crowd, std::shared_ptr<HostMemory> memory) noexcept
        : memory_(std::move(memory)), crowd_(Own<Dim>{std::move(crowd), {}}) {}

    /// A borrowed crowd; its owner keeps it alive at least as long as this object.
    template <std::size_t Dim>
    explicit CrowdObject(const throng::Crowd<Dim>& lent) noexcept : crowd_(&lent) {}

    CrowdObject(const CrowdObject&) = delete;
    CrowdObject& operator=(const CrowdObject&) = delete;
    ~CrowdObject() {
        if (stepper_ != nullptr) { stepper_->let_go(); }
    }

    /// The object that changes this crowd in steps, or null.
    [[nodiscard]] const Stepper* stepper() const noexcept { return stepper_; }
    void set_stepper(Stepper* stepper) noexcept { stepper_ = stepper; }

    [[nodiscard]] bool is_lent() const noexcept { return crowd_.index() >= kLent; }

    /// Calls ask(crowd) with a const Crowd<2>& or Crowd<3>&. Throws Refused while the crowd is
    /// being changed in steps.
    template <class Ask>
    [[nodiscard]] decltype(auto) ask(const Ask& ask) const {
        check_at_rest();
        return std::visit(
            [&]<class Any>(const Any& any) -> decltype(auto) {
                if constexpr (std::is_pointer_v<Any>) {
                    return ask(*any);
                } else {
                    return ask(any.crowd);
                }
            },
            crowd_);
    }

    /// Calls change(crowd), which may change the crowd. Throws Refused if the crowd is lent, or is
    /// being changed in steps.
    template <class Change>
    decltype(auto) change(const Change& change) {
        check_at_rest();
        if (auto* const plane = std::get_if<Own<2>>(&crowd_)) { return change(plane->crowd); }
        if (auto* const space = std::get_if<Own<3>>(&crowd_)) { return change(space->crowd); }
        refuse(THRONG_READ_ONLY, "crowd");
    }

    /// The edits of a call to change() are prepared here. Kept from one call to the next: fresh
    /// memory would cost as much as some of the edits.
    template <std::size_t Dim>
    [[nodiscard]] Vector<Edit<Dim>>& edits() {
        return std::get<Own<Dim>>(crowd_).edits;
    }
    void release_edits() noexcept {
        if (auto* const plane = std::get_if<Own<2>>(&crowd_)) {
            Vector<Edit<2>>().swap(plane->edits);
        }
        if (auto* const space = std::get_if<Own<3>>(&crowd_)) {
            Vector<Edit<3>>().swap(space->edits);
        }
    }
    /// The source of the memory of edits; null: the heap.
    [[nodiscard]] MemorySource* source() const noexcept {
        return memory_ == nullptr ? nullptr : &memory_->source();
    }
    /// Bytes of the prepared edits.
    template <std::size_t Dim>
    [[nodiscard]] std::size_t staging() const noexcept {
        const auto* const own = std::get_if<Own<Dim>>(&crowd_);
        return own == nullptr ? 0 : own->edits.capacity() * sizeof(Edit<Dim>);
    }

private:
    template <std::size_t Dim>
    struct Own {
        throng::Crowd<Dim> crowd;
        Vector<Edit<Dim>> edits;
    };

    void check_at_rest() const {
        if (stepper_ != nullptr) { refuse(THRONG_BEING_CHANGED, "crowd"); }
    }

    static constexpr std::size_t kLent = 2; // the first alternative of crowd_ that is lent

    std::shared_ptr<HostMemory> memory_; // outlives the memory taken from it
    std::variant<Own<2>, Own<3>, const throng::Crowd<2>*, const throng::Crowd<3>*> crowd_;
    Stepper* stepper_ = nullptr;
};

template <>
struct Held<throng_crowd> {
    using Object = CrowdObject;
    static constexpr Kind kKind = Kind::crowd;
};

} // namespace throng::c
