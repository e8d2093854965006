// Finds overlapping calls to one object: many may read it, or one may change it. Internal.
#pragma once

#include "../../simd/isa/compiler.hpp"

#include <atomic>
#include <cstdint>

namespace throng {

#if defined(THRONG_ENABLE_ASSERTS) || !defined(NDEBUG)
constexpr bool kAccessChecked = true;
#else
constexpr bool kAccessChecked = false;
#endif

// Whether access is checked is part of the type: files that are compiled with different settings,
// which is a mistake, then share no functions.
template <bool kChecked>
class BasicAccessCheck;

/// Notices overlapping calls that must not overlap, and reports them through THRONG_ASSERT. If the
/// handler carries on, so does the call.
///
/// It catches only calls that do overlap, not calls that might have. It does not order memory, so
/// the thread sanitizer finds the same races with and without it.
template <>
class BasicAccessCheck<true> {
public:
    /// Held by a call that only reads. Many may be held at once, nested ones too: a visitor may
    /// query.
    class Reading {
    public:
        explicit Reading(const BasicAccessCheck& check) noexcept;
        Reading(const Reading&) = delete;
        Reading& operator=(const Reading&) = delete;
        ~Reading();

    private:
        const BasicAccessCheck& check_;
    };

    /// Held by a call that must be alone.
    class Alone {
    public:
        Alone(const Alone&) = delete;
        Alone& operator=(const Alone&) = delete;
        ~Alone();

    protected:
        explicit Alone(BasicAccessCheck& check) noexcept;
        // How many calls were inside before this one.
        [[nodiscard]] std::uint32_t readers() const noexcept;
        [[nodiscard]] std::uint32_t others() const noexcept;

    private:
        BasicAccessCheck& check_;
        const std::uint64_t before_;
    };

    /// Held by a call that changes a grid.
    class Changing : public Alone {
    public:
        explicit Changing(BasicAccessCheck& check) noexcept;
    };

    /// Held by a call to a Batch or a NeighbourLoop, which must be alone.
    class Serving : public Alone {
    public:
        explicit Serving(BasicAccessCheck& check) noexcept;
    };

    BasicAccessCheck() = default;
    // Not moved: the check belongs to the object and not to its value.
    BasicAccessCheck(BasicAccessCheck&&) noexcept {}
    BasicAccessCheck& operator=(BasicAccessCheck&&) noexcept { return *this; }
    ~BasicAccessCheck() = default;

private:
    // Readers are counted in the lower half, calls that must be alone in the upper half. At most
    // one of those is allowed; they are counted so that the word returns to zero after any overlap.
    mutable std::atomic<std::uint64_t> inside_ = 0;
};

/// The check switched off.
template <>
class BasicAccessCheck<false> {
public:
    class [[maybe_unused]] Reading {
    public:
        explicit Reading(const BasicAccessCheck&) noexcept {}
    };
    class [[maybe_unused]] Changing {
    public:
        explicit Changing(BasicAccessCheck&) noexcept {}
    };
    class [[maybe_unused]] Serving {
    public:
        explicit Serving(BasicAccessCheck&) noexcept {}
    };
};

using AccessCheck = BasicAccessCheck<kAccessChecked>;

} // namespace throng
