// Changes of crowds in steps.
#pragma once

#include "../../engine/crowd/crowd_change.hpp"
#include "../held.hpp"
#include "crowd.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace throng::c {

class ChangeObject final : public CrowdObject::Stepper {
public:
    ChangeObject() = default;
    ChangeObject(const ChangeObject&) = delete;
    ChangeObject& operator=(const ChangeObject&) = delete;
    ~ChangeObject() override { let_go(); }

    /// Gives up the present change, and calls begin(change), a call of CrowdChange that begins a
    /// change of this crowd, of dimension Dim. Returns what begin() returns.
    template <std::size_t Dim, class Begin>
    [[nodiscard]] auto begin(CrowdObject& crowd, const Begin& begin) {
        let_go();
        auto& change = of<Dim>();
        auto status = begin(change);
        if (change.blocks() != 0) {
            crowd_ = &crowd;
            crowd.set_stepper(this);
        }
        return status;
    }

    [[nodiscard]] std::size_t blocks() const noexcept {
        return plane_.blocks() + space_.blocks(); // one of them has none
    }
    [[nodiscard]] std::size_t threads_worth() const noexcept {
        return space_.blocks() != 0 ? space_.threads_worth() : plane_.threads_worth();
    }
    void run(std::size_t begin, std::size_t end) noexcept {
        plane_.run(begin, end);
        space_.run(begin, end);
    }
    [[nodiscard]] Status next();

    void let_go() noexcept override;

private:
    template <std::size_t Dim>
    [[nodiscard]] CrowdChange<Dim>& of() noexcept {
        if constexpr (Dim == 2) {
            return plane_;
        } else {
            return space_;
        }
    }
    void unlink_where_done() noexcept;

    CrowdObject* crowd_ = nullptr; // the crowd that is being changed
    CrowdChange<2> plane_;
    CrowdChange<3> space_;
};

template <>
struct Held<throng_change> {
    using Object = ChangeObject;
    static constexpr Kind kKind = Kind::change;
};

} // namespace throng::c
