// Decides whether looks, which test if two points see each other, are made together or one by one:
// whichever is less work. Internal to the engine.
//
// Work is counted in steps, never timed, so a question is answered in the same way on every machine
// and with any number of threads.
#pragma once

#include "../../../simd/kernels/tree/packet_bounds.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace throng::obstacle {

/// What the parts of looks cost, in steps. A step is an eleventh of a nanosecond on AVX2, or about
/// one instruction on the way down the tree. Measured among 200 to 20,000 small walls, boxes and
/// triangles. Only the ratios matter, and they are about the same on all instruction sets.
template <std::size_t Dim>
struct Steps {
    static constexpr bool kPlane = Dim == 2;
    // For a look alone.
    static constexpr std::uint64_t kWay = kPlane ? 450 : 600;        ///< once, for any tree
    static constexpr std::uint64_t kLevel = kPlane ? 220 : 280;      ///< for each level of the tree
    static constexpr std::uint64_t kDefinition = kPlane ? 260 : 300; ///< tests one obstacle exactly
    // For looks together.
    static constexpr std::uint64_t kSearch = kPlane ? 700 : 1150; ///< for the obstacles in a box
    static constexpr std::uint64_t kFound = kPlane ? 45 : 70;     ///< for each obstacle found
    static constexpr std::uint64_t kTest = kPlane ? 30 : 50;      ///< tests if it is near a list
    static constexpr std::uint64_t kScreen = kPlane ? 400 : 1000; ///< makes an obstacle's boxes
    static constexpr std::uint64_t kSeen = kPlane ? 85 : 135;     ///< computes them for one point
    static constexpr std::uint64_t kPacket = 300, kLook = 40; ///< a packet, and each of its looks
    static constexpr std::uint64_t kPick = kPlane ? 30 : 45;  ///< tests if it is near a packet
    static constexpr std::uint64_t kCompare = kPlane ? 155 : 290; ///< compares a packet with it
};

/// Keeps account of what the looks of a block of lists cost. A look alone has a price: at first the
/// least cost of a way down the tree, then a running mean of the costs so far. Looks go together
/// where that costs less than the prices of as many looks alone.
///
/// - A search for obstacles around lists is in vain if it finds too many. Its cost is then owed
///   32-fold: looks go alone until they have cost that much. So no more than a 32nd of the work is
///   in vain.
/// - Where looks go together only because looks alone have been expensive, one look goes alone now
///   and then to check the price. That takes a 16th of the work.
template <std::size_t Dim>
class LookBudget {
public:
    enum class Choice { together, alone, sample };

    /// For a tree with this many levels.
    explicit LookBudget(std::uint32_t levels) noexcept
        : least_(Steps<Dim>::kWay + levels * Steps<Dim>::kLevel), price_(least_) {}

    /// Whether looks may be tried together.
    [[nodiscard]] bool may_try() const noexcept { return owed_ == 0; }

    /// The most obstacles that may lie around lists with this many looks in all; 0 if not even the
    /// search is worth it. Finding that many costs a quarter of the looks' price, and testing them
    /// for each list another quarter.
    [[nodiscard]] std::uint32_t most_around(std::size_t lists, std::size_t looks) const noexcept {
        const std::uint64_t price = looks * price_;
        if (price < 2 * Steps<Dim>::kSearch) { return 0; }
        const std::uint64_t asking = std::min(lists, looks); // the other lists have no looks
        return static_cast<std::uint32_t>(
            std::min({price / (4 * Steps<Dim>::kFound), price / (4 * Steps<Dim>::kTest * asking),
                      kMostAround}));
    }

    /// Steps to compare looks with obstacles, of which `unmade` have no screen yet. The cost of
    /// these screens is divided among `sharing` lists.
    [[nodiscard]] std::uint64_t together(std::size_t obstacles, std::size_t unmade,
                                         std::size_t sharing, std::size_t looks) const noexcept {
        constexpr std::uint64_t kLooks = simd::kPacketWidth;
        const std::uint64_t packets = (looks + kLooks - 1) / kLooks;
        const std::uint64_t before = obstacles * Steps<Dim>::kSeen +
                                     unmade * Steps<Dim>::kScreen / sharing +
                                     packets * Steps<Dim>::kPacket + looks * Steps<Dim>::kLook;
        if (packets == 1) {
            const std::uint64_t half = looks <= kLooks / 2 ? 2 : 1; // 2: half the packet is empty
            return before + obstacles * Steps<Dim>::kCompare / half;
        }
        const std::uint64_t near = obstacles * near_ / offered_;
        return before + packets * (obstacles * Steps<Dim>::kPick + near * Steps<Dim>::kCompare);
    }
    [[nodiscard]] Choice choose(std::uint64_t together, std::size_t looks) const noexcept {
        if (together > looks * price_) { return Choice::alone; }
        return unsure_ < kTrust * price_ ? Choice::together : Choice::sample;
    }
    /// Whether to pick the obstacles near each packet: not worth it where nearly all are near.
    [[nodiscard]] bool picks() const noexcept { return 8 * near_ < 7 * offered_; }

    /// Notes how many of the obstacles around a list were near a packet of its looks.
    void was_near(std::size_t near, std::size_t offered) noexcept {
        near_ += near;
        offered_ += offered;
    }
    void was_in_vain(std::uint64_t steps) noexcept { owed_ += kPatience * steps; }
    void went_together(std::uint64_t steps, std::size_t looks) noexcept {
        if (steps > looks * least_) { unsure_ += steps; }
    }
    /// Notes a look that went alone and tried this many obstacles; returns its steps.
    std::uint64_t went_alone(std::size_t tried, Choice choice) noexcept {
        const std::uint64_t steps = least_ + tried * Steps<Dim>::kDefinition;
        owed_ -= std::min(owed_, steps);
        // Capped, since one expensive look does not make the others expensive. Samples are few, so
        // each counts as eight.
        const std::uint64_t weight = choice == Choice::sample ? 8 : 1;
        price_ = ((kMemory - weight) * price_ + weight * std::min(steps, 8 * price_)) / kMemory;
        if (choice == Choice::sample) { unsure_ = 0; }
        return steps;
    }

private:
    static constexpr std::uint64_t kPatience = 32, kTrust = 16, kMemory = 16;
    static constexpr std::uint64_t kMostAround = 1u << 16;

    std::uint64_t least_, price_;             ///< of a look alone
    std::uint64_t owed_ = 0;                  ///< steps that looks must go alone before a next try
    std::uint64_t unsure_ = 0;                ///< steps of expensive looks together since a sample
    std::uint64_t near_ = 64, offered_ = 128; ///< as if half of the obstacles were near
};

} // namespace throng::obstacle
