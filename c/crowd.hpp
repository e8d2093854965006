// Crowds of either dimension, those of a host and those of its snapshots.
#pragma once

#include "../engine/crowd.hpp"
#include "held.hpp"
#include "memory.hpp"

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

namespace throng::c {

class CrowdObject {
public:
    /// A host's own, which may be changed.
    template <std::size_t Dim>
    CrowdObject(throng::Crowd<Dim> crowd, std::shared_ptr<HostMemory> memory) noexcept
        : memory_(std::move(memory)), crowd_(std::move(crowd)) {}

    /// Somebody else's, who sees to it that it outlives this.
    template <std::size_t Dim>
    explicit CrowdObject(const throng::Crowd<Dim>& lent) noexcept : crowd_(&lent) {}

    [[nodiscard]] bool is_lent() const noexcept { return crowd_.index() >= kLent; }

    /// ask(crowd), which is a const Crowd<2>& or Crowd<3>&.
    template <class Ask>
    decltype(auto) ask(const Ask& ask) const {
        return std::visit(
            [&](const auto& crowd) -> decltype(auto) {
                if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(crowd)>>) {
                    return ask(*crowd);
                } else {
                    return ask(crowd);
                }
            },
            crowd_);
    }

    /// change(crowd), which may be changed. Throws Refused where it may not.
    template <class Change>
    decltype(auto) change(const Change& change) {
        if (is_lent()) { refuse(THRONG_READ_ONLY, "crowd"); }
        if (auto* const plane = std::get_if<throng::Crowd<2>>(&crowd_)) { return change(*plane); }
        return change(std::get<throng::Crowd<3>>(crowd_));
    }

private:
    static constexpr std::size_t kLent = 2; // the first of those alternatives

    std::shared_ptr<HostMemory> memory_; // outlives what it gave
    std::variant<throng::Crowd<2>, throng::Crowd<3>, const throng::Crowd<2>*,
                 const throng::Crowd<3>*>
        crowd_;
};

template <>
struct Held<throng_crowd> {
    using Object = CrowdObject;
    static constexpr Kind kKind = Kind::crowd;
};

} // namespace throng::c
