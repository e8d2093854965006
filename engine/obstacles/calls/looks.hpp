// Many looks among the same obstacles: do two points see each other? Internal to the engine.
#pragma once

#include "../../../simd/kernels/tree/packet_bounds.hpp"
#include "../../core/access.hpp"
#include "../store/search.hpp"
#include "look_budget.hpp"
#include "screen.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng {

/// Tests whether two points see each other: whether no obstacle has a point in common with the
/// segment between them. The segment always goes from the point with the smaller coordinates to the
/// other. So rounding at the rim of an obstacle cannot let only one of the two see the other.
///
/// Looks from one point go together or alone, whichever is less work (look_budget.hpp); the answer
/// is the same. Together they are compared with the obstacles in a box around them: boxes in floats
/// decide nearly all cases. The boxes leave room for rounding; looks that pass an obstacle's rim
/// within that room are left to the definitions. A look alone goes down the tree, and meets only
/// what is on its way.
template <std::size_t Dim>
class Looks {
public:
    /// Memory that one block of looks leaves to the next.
    struct Scratch {
        std::vector<simd::Gathered<Dim>> around; ///< obstacles in a box
        std::vector<std::uint32_t> screen_of;    ///< by number in `around`; kNowhere: not made yet
        std::vector<obstacle::Screen<Dim>> screens;
        std::vector<std::uint32_t> in_way;     ///< numbers in `around`: those in one list's box
        std::vector<simd::SeenBody<Dim>> seen; ///< screens of these, as one point sees them
        std::vector<std::uint32_t> picked;     ///< numbers in `in_way` of those near a packet
        std::vector<std::uint32_t> every;      ///< 0, 1, 2 ...: all numbers
        std::vector<std::uint32_t> may_meet;

        /// In bytes.
        [[nodiscard]] std::size_t memory() const noexcept {
            return around.capacity() * sizeof(simd::Gathered<Dim>) +
                   screens.capacity() * sizeof(obstacle::Screen<Dim>) +
                   seen.capacity() * sizeof(simd::SeenBody<Dim>) +
                   (screen_of.capacity() + in_way.capacity() + picked.capacity() +
                    every.capacity() + may_meet.capacity()) *
                       sizeof(std::uint32_t);
        }
    };

    /// Serves one block of lists. The obstacles must not change meanwhile.
    Looks(const detail::StateOf<const Obstacles<Dim>>& obstacles, const Filter& filter,
          Scratch& scratch) noexcept;

    /// Announces lists that are near each other, with `looks` looks in all; `bounds` holds all
    /// their points. Throws std::bad_alloc.
    void begin(const Box<Dim>& bounds, std::size_t lists, std::size_t looks);

    /// Whether no obstacle is near these lists, so that hide() is not needed for them.
    [[nodiscard]] bool clear() const noexcept { return empty_ || (shared_ && around_ == 0); }

    /// Answers one of these lists: writes for each point of `to` 1 if the point is hidden from
    /// `from`, else 0. `bounds` holds `from` and all of `to`. Throws std::bad_alloc.
    void hide(const Point<Dim>& from, std::span<const Point<Dim>> to, const Box<Dim>& bounds,
              std::vector<std::uint8_t>& hidden);

    /// A look that goes alone.
    [[nodiscard]] bool is_hidden(const Point<Dim>& from, const Point<Dim>& to) noexcept {
        return is_hidden(from, to, Choice::alone);
    }

    /// Whether looks within these bounds may meet copies of obstacles in a periodic world, so that
    /// hide() does not do for them.
    [[nodiscard]] bool meet_copies(const Box<Dim>& bounds) const noexcept;
    /// A look that goes alone, past obstacles and their copies.
    [[nodiscard]] bool is_hidden_around(const obstacle::Real<Dim>& from,
                                        const obstacle::Real<Dim>& to) const noexcept;

    /// Steps so far, for tests.
    [[nodiscard]] std::uint64_t work() const noexcept { return work_; }

private:
    using Steps = obstacle::Steps<Dim>;
    using Choice = typename obstacle::LookBudget<Dim>::Choice;

    [[nodiscard]] bool find_around(const Box<Dim>& bounds, std::size_t lists, std::size_t looks);
    void share(std::size_t lists, std::size_t looks);
    [[nodiscard]] bool list_in_way(const Box<Dim>& bounds, std::size_t looks);
    void make_screens();
    void see(const Point<Dim>& from, const Box<Dim>& bounds);
    [[nodiscard]] std::size_t pick(const Point<Dim>& from, std::span<const Point<Dim>> packet);
    void hide_together(const Point<Dim>& from, std::span<const Point<Dim>> to,
                       std::uint8_t* hidden);
    [[nodiscard]] bool is_hidden(const Point<Dim>& from, const Point<Dim>& to,
                                 Choice choice) noexcept;

    Scratch& scratch_;
    obstacle::View<Dim> view_;
    bool empty_;
    obstacle::LookBudget<Dim> budget_;
    std::uint64_t work_ = 0;
    Box<Dim> bounds_{};       ///< of the lists that begin() announced
    std::size_t lists_ = 0;   ///< lists still to come; 0 once all were tried together
    std::size_t looks_ = 0;   ///< looks in these lists
    std::size_t around_ = 0;  ///< obstacles around all announced lists, or around one of them
    bool shared_ = false;     ///< whether `around_` counts those around all lists
    std::size_t sharing_ = 1; ///< among how many lists the cost of a screen is divided
    std::size_t in_way_ = 0;  ///< of the obstacles around, those in the box of one list
    std::size_t unmade_ = 0;  ///< of the obstacles in the way, those without a screen
};

extern template class Looks<2>;
extern template class Looks<3>;

} // namespace throng
