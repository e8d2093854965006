// Who is in an object at the moment: any number that read it, or one that changes it. Internal.
#pragma once

#include <atomic>
#include <cstdint>

namespace throng {

#if defined(THRONG_ENABLE_ASSERTS) || !defined(NDEBUG)
constexpr bool kPhasesChecked = true;
#else
constexpr bool kPhasesChecked = false;
#endif

// Whether phases are checked is part of the name, so that files that disagree about it, which would
// be a mistake, do not share their functions.
template <bool kChecked>
class BasicPhase;

/// A word that notices when two calls overlap that must not, and says so through THRONG_ASSERT.
/// When the handler carries on, so does the call, as if nothing had been noticed.
///
/// It catches what overlaps in fact, and not what might: calls that exclude each other by luck
/// pass. It orders nothing either, so that the thread sanitizer finds the races that it would find
/// without.
template <>
class BasicPhase<true> {
public:
    /// Held by a call that only reads. There may be many, in each other too: a visitor may ask.
    class Reading {
    public:
        explicit Reading(const BasicPhase& phase) noexcept;
        Reading(const Reading&) = delete;
        Reading& operator=(const Reading&) = delete;
        ~Reading();

    private:
        const BasicPhase& phase_;
    };

    /// Held by a call that must be alone.
    class Alone {
    public:
        Alone(const Alone&) = delete;
        Alone& operator=(const Alone&) = delete;
        ~Alone();

    protected:
        explicit Alone(BasicPhase& phase) noexcept;
        // Who was there before.
        [[nodiscard]] std::uint32_t readers() const noexcept;
        [[nodiscard]] std::uint32_t others() const noexcept;

    private:
        BasicPhase& phase_;
        const std::uint64_t before_;
    };

    /// Held by a call that changes a grid.
    class Changing : public Alone {
    public:
        explicit Changing(BasicPhase& phase) noexcept;
    };

    /// Held by a call to a Batch, which is always alone.
    class Serving : public Alone {
    public:
        explicit Serving(BasicPhase& phase) noexcept;
    };

    BasicPhase() = default;
    // Belongs to the place and not to the value: who is in one object is in no other.
    BasicPhase(BasicPhase&&) noexcept {}
    BasicPhase& operator=(BasicPhase&&) noexcept { return *this; }
    ~BasicPhase() = default;

private:
    // Readers in the lower half, others in the upper. They are counted even where there must be but
    // one, so that the word comes out right whatever overlapped.
    mutable std::atomic<std::uint64_t> inside_ = 0;
};

/// Nothing at all.
template <>
class BasicPhase<false> {
public:
    class [[maybe_unused]] Reading {
    public:
        explicit Reading(const BasicPhase&) noexcept {}
    };
    class [[maybe_unused]] Changing {
    public:
        explicit Changing(BasicPhase&) noexcept {}
    };
    class [[maybe_unused]] Serving {
    public:
        explicit Serving(BasicPhase&) noexcept {}
    };
};

using Phase = BasicPhase<kPhasesChecked>;

} // namespace throng
