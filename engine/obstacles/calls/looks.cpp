// Floats decide most looks, with room for their rounding: bound_looks() compares a look with a
// turned box around each obstacle, the outer box, and with one inside the obstacle, the inner box.
//
// Its terms are sums of a few products of the way, the middle and the extents, so floats err by
// less than 2^-20 of their sum. Four times that, 2^-18, is added to the extents of the outer box
// and subtracted from those of the inner box.
#include "looks.hpp"

#include "../store/answers.hpp"
#include "../store/packet.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace throng {

namespace obstacle {

namespace {

/// Stands for the extent of an inner box that is missing: no look meets such a box, and products
/// of the extent with ways are still finite.
constexpr float kNothing = -4.0f * kLargest;

/// A look that goes down the tree, and ends at the first obstacle that it finds.
template <std::size_t Dim>
struct LookAlone {
    AlongPath<Dim> way;
    std::size_t tried = 0;
    bool hidden = false;

    static float test(void* context, std::uint32_t candidate) noexcept {
        auto& self = *static_cast<LookAlone*>(context);
        ++self.tried;
        self.hidden = time_of(self.way.view.records[candidate], self.way.path) != kNever;
        return self.hidden ? -1.0f : 2.0f;
    }
};

/// The path of a look, from the point with the smaller coordinates to the other: so both points get
/// the same answer.
template <std::size_t Dim>
Path<Dim> look_between(const Point<Dim>& a, const Point<Dim>& b) noexcept {
    const bool forward =
        !std::lexicographical_compare(b.axis.begin(), b.axis.end(), a.axis.begin(), a.axis.end());
    const Real<Dim> begin = real(forward ? a : b);
    const Real<Dim> end = real(forward ? b : a);
    return {begin, minus(end, begin)};
}

/// Whether the box around an obstacle and another box have a point in common. Has no branch, which
/// could not be predicted: with one, picks took 1.6 times as long.
template <std::size_t Dim>
bool meets(const simd::Gathered<Dim>& body, const Box<Dim>& box) noexcept {
    unsigned met = 1;
    for (std::size_t a = 0; a < Dim; ++a) {
        met &= static_cast<unsigned>(body.lo[a] <= box.hi[a]);
        met &= static_cast<unsigned>(box.lo[a] <= body.hi[a]);
    }
    return met != 0;
}

/// Returns room for this many elements. Does not clear old ones, since callers overwrite them.
template <class Element>
Element* room_for(std::size_t count, std::vector<Element>& elements) {
    if (elements.size() < count) { elements.resize(count); }
    return elements.data();
}

} // namespace
} // namespace obstacle

template <std::size_t Dim>
Looks<Dim>::Looks(const detail::StateOf<const Obstacles<Dim>>& obstacles, const Filter& filter,
                  Scratch& scratch) noexcept
    : scratch_(scratch), view_(obstacle::view_of<Dim>(obstacles, filter)),
      empty_(obstacles.is_empty_for(filter)), budget_(view_.tree.levels) {}

/// Finds the obstacles in a box; false if there are too many, or if a search is not worth it.
template <std::size_t Dim>
bool Looks<Dim>::find_around(const Box<Dim>& bounds, std::size_t lists, std::size_t looks) {
    const std::uint32_t most = budget_.most_around(lists, looks);
    if (most == 0) { return false; }
    const Box<Dim> wide = obstacle::around_ways(bounds);
    simd::BoxSeek<Dim> seek;
    for (std::size_t a = 0; a < Dim; ++a) {
        seek.lo[a] = wide.lo[a];
        seek.hi[a] = wide.hi[a];
    }
    seek.limit = 0.0f;
    around_ = simd::gather_in_tree(view_.tree, seek, view_.kernel_filter,
                                   obstacle::room_for(most, scratch_.around), most);
    const std::uint64_t steps = Steps::kSearch + around_ * Steps::kFound;
    work_ += steps;
    if (around_ > most) {
        budget_.was_in_vain(steps);
        return false;
    }
    scratch_.screens.clear();
    scratch_.screen_of.assign(around_, obstacle::kNowhere);
    return true;
}

/// Finds the obstacles around all lists still to come; tried once after each begin().
template <std::size_t Dim>
void Looks<Dim>::share(std::size_t lists, std::size_t looks) {
    shared_ = find_around(bounds_, lists, looks);
    sharing_ = shared_ ? std::clamp<std::size_t>(lists, 1, 4) : 1;
    lists_ = 0;
}

template <std::size_t Dim>
void Looks<Dim>::begin(const Box<Dim>& bounds, std::size_t lists, std::size_t looks) {
    bounds_ = bounds;
    lists_ = lists;
    looks_ = looks;
    shared_ = false;
    if (!empty_ && budget_.may_try()) { share(lists, looks); }
}

/// Finds the obstacles in the box of one list; false if no search has found those around it.
template <std::size_t Dim>
bool Looks<Dim>::list_in_way(const Box<Dim>& bounds, std::size_t looks) {
    if (!shared_ && lists_ != 0) { share(lists_ + 1, looks_ + looks); }
    if (!shared_ && (!budget_.may_try() || !find_around(bounds, 1, looks))) { return false; }
    const Box<Dim> wide = obstacle::around_ways(bounds);
    const simd::Gathered<Dim>* const around = scratch_.around.data();
    const std::uint32_t* const screen_of = scratch_.screen_of.data();
    std::uint32_t* const in_way = obstacle::room_for(around_, scratch_.in_way);
    std::size_t count = 0, unmade = 0;
    for (std::size_t i = 0; i < around_; ++i) {
        const bool is_near = obstacle::meets(around[i], wide);
        const bool is_new = is_near & (screen_of[i] == obstacle::kNowhere);
        in_way[count] = static_cast<std::uint32_t>(i); // overwritten if it is not near
        count += is_near ? 1 : 0;
        unmade += is_new ? 1 : 0;
    }
    in_way_ = count;
    unmade_ = unmade;
    work_ += around_ * Steps::kTest;
    return true;
}

/// Makes the screens of those obstacles in the way that have none yet from an earlier list.
template <std::size_t Dim>
void Looks<Dim>::make_screens() {
    for (std::size_t c = 0; c < in_way_; ++c) {
        const std::uint32_t i = scratch_.in_way[c];
        if (scratch_.screen_of[i] != obstacle::kNowhere) { continue; }
        scratch_.screens.push_back(
            with_body(view_.records[scratch_.around[i].id],
                      [](const auto& body) { return obstacle::screen_of(body); }));
        scratch_.screen_of[i] = static_cast<std::uint32_t>(scratch_.screens.size() - 1);
    }
    work_ += unmade_ * Steps::kScreen;
}

/// Computes the screens of the obstacles in the way, as `from` sees them.
template <std::size_t Dim>
void Looks<Dim>::see(const Point<Dim>& from, const Box<Dim>& bounds) {
    if (unmade_ != 0) { make_screens(); }
    const obstacle::Real<Dim> eye = obstacle::real(from);
    double way = 0.0;
    for (std::size_t a = 0; a < Dim; ++a) {
        way += std::max(bounds.hi[a] - eye[a], eye[a] - bounds.lo[a]);
    }
    const double least =
        4.0 * obstacle::kSlack * (view_.size + obstacle::size_of(eye) + way) + 1e-36;
    const obstacle::Screen<Dim>* const screens = scratch_.screens.data();
    const std::uint32_t* const screen_of = scratch_.screen_of.data();
    const std::uint32_t* const in_way = scratch_.in_way.data();
    simd::SeenBody<Dim>* const bodies = obstacle::room_for(in_way_, scratch_.seen);
    const std::size_t count = in_way_;
    for (std::size_t c = 0; c < count; ++c) {
        const obstacle::Screen<Dim>& screen = screens[screen_of[in_way[c]]];
        const obstacle::Real<Dim> there = obstacle::minus(screen.middle, eye);
        const double slack =
            (obstacle::sum_of(there) + way + obstacle::sum_of(screen.outer)) * 0x1p-18 + least;
        simd::SeenBody<Dim>& seen = bodies[c];
        for (std::size_t i = 0; i < Dim; ++i) {
            for (std::size_t a = 0; a < Dim; ++a) {
                seen.axis[i][a] = static_cast<float>(screen.axis[i][a]);
            }
            seen.middle[i] = static_cast<float>(obstacle::dot(there, screen.axis[i]));
            seen.outer[i] = static_cast<float>(screen.outer[i] + slack);
            const double inner = screen.inner[i] - slack;
            seen.inner[i] = inner >= 0.0 ? static_cast<float>(inner) : obstacle::kNothing;
        }
    }
    work_ += in_way_ * Steps::kSeen;
}

/// Picks the obstacles near a packet of looks. Agents that follow each other in a list are mostly
/// near each other, so a packet of a long list looks in one direction: a quarter to a half of the
/// obstacles are near it, if they are small.
template <std::size_t Dim>
std::size_t Looks<Dim>::pick(const Point<Dim>& from, std::span<const Point<Dim>> packet) {
    obstacle::Surrounding<Dim> all;
    all.add(from);
    for (const Point<Dim>& to : packet) {
        all.add(to);
    }
    const Box<Dim> wide = obstacle::around_ways(all.box);
    const simd::Gathered<Dim>* const around = scratch_.around.data();
    const std::uint32_t* const in_way = scratch_.in_way.data();
    std::uint32_t* const picked = obstacle::room_for(in_way_, scratch_.picked);
    std::size_t count = 0;
    for (std::size_t c = 0; c < in_way_; ++c) {
        picked[count] = static_cast<std::uint32_t>(c);
        count += obstacle::meets(around[in_way[c]], wide) ? 1 : 0;
    }
    budget_.was_near(count, in_way_);
    work_ += in_way_ * Steps::kPick;
    return count;
}

template <std::size_t Dim>
void Looks<Dim>::hide_together(const Point<Dim>& from, std::span<const Point<Dim>> to,
                               std::uint8_t* hidden) {
    constexpr std::size_t kLooks = simd::kPacketWidth;
    constexpr std::size_t kFew = 8; // with no more obstacles, comparing all is faster than picking
    const bool picks = to.size() > kLooks && in_way_ > kFew && budget_.picks();
    if (!picks && scratch_.every.size() < in_way_) {
        scratch_.every.resize(in_way_);
        std::iota(scratch_.every.begin(), scratch_.every.end(), 0u);
    }
    std::uint32_t* const may_meet = obstacle::room_for(in_way_, scratch_.may_meet);
    for (std::size_t first = 0; first < to.size(); first += kLooks) {
        const std::size_t count = std::min(kLooks, to.size() - first);
        const std::size_t near = picks ? pick(from, to.subspan(first, count)) : in_way_;
        const std::uint32_t* const numbers = picks ? scratch_.picked.data() : scratch_.every.data();
        simd::LookPacket<Dim> looks{};
        for (std::size_t l = 0; l < count; ++l) {
            for (std::size_t a = 0; a < Dim; ++a) {
                looks.way[a][l] = to[first + l][a] - from[a];
            }
        }
        const std::uint32_t wanted = (std::uint32_t{1} << count) - 1;
        std::uint32_t met = simd::bound_looks(scratch_.seen.data(), numbers, near, looks,
                                              static_cast<std::uint32_t>(count), may_meet) &
                            wanted;
        std::uint64_t steps = Steps::kPacket + count * Steps::kLook + near * Steps::kCompare;
        for (std::size_t c = 0; c < near && met != wanted; ++c) {
            const std::uint32_t i = scratch_.in_way[numbers[c]];
            const auto& record = view_.records[scratch_.around[i].id];
            for (std::uint32_t may = may_meet[c] & wanted & ~met; may != 0; may &= may - 1) {
                const auto l = static_cast<std::size_t>(std::countr_zero(may));
                steps += Steps::kDefinition;
                if (obstacle::time_of(record, obstacle::look_between(from, to[first + l])) !=
                    obstacle::kNever) {
                    met |= std::uint32_t{1} << l;
                }
            }
        }
        work_ += steps;
        for (std::size_t l = 0; l < count; ++l) {
            hidden[first + l] = static_cast<std::uint8_t>(met >> l & 1u);
        }
    }
}

template <std::size_t Dim>
bool Looks<Dim>::is_hidden(const Point<Dim>& from, const Point<Dim>& to, Choice choice) noexcept {
    const obstacle::Path<Dim> path = obstacle::look_between(from, to);
    obstacle::LookAlone<Dim> look = {{view_, path}};
    look.way.seek({&look, obstacle::LookAlone<Dim>::test, false});
    work_ += budget_.went_alone(look.tried, choice);
    return look.hidden;
}

template <std::size_t Dim>
bool Looks<Dim>::meet_copies(const Box<Dim>& bounds) const noexcept {
    const obstacle::Real<Dim> lo = obstacle::real(bounds.lo), hi = obstacle::real(bounds.hi);
    const double mixed = std::max(obstacle::size_of(lo), obstacle::size_of(hi));
    return view_.around != nullptr && !view_.around->has_inside({lo, lo, hi, false, mixed});
}

template <std::size_t Dim>
bool Looks<Dim>::is_hidden_around(const obstacle::Real<Dim>& from,
                                  const obstacle::Real<Dim>& to) const noexcept {
    return !empty_ && obstacle::is_blocked_around<Dim>(view_, {from, obstacle::minus(to, from)});
}

template <std::size_t Dim>
void Looks<Dim>::hide(const Point<Dim>& from, std::span<const Point<Dim>> to,
                      const Box<Dim>& bounds, std::vector<std::uint8_t>& hidden) {
    hidden.resize(to.size());
    if (lists_ != 0) {
        --lists_;
        looks_ -= std::min(looks_, to.size());
    }
    bool listed = false, in_vain = false;
    for (std::size_t done = 0; done < to.size(); ++done) {
        const std::size_t left = to.size() - done;
        if (!listed && budget_.may_try()) { listed = list_in_way(bounds, left); }
        Choice choice = Choice::alone;
        if (listed) {
            if (in_way_ == 0) {
                std::fill_n(hidden.data() + done, left, std::uint8_t{0});
                return;
            }
            const std::uint64_t steps = budget_.together(in_way_, unmade_, sharing_, left);
            choice = budget_.choose(steps, left);
            if (choice == Choice::together) {
                budget_.went_together(steps, left);
                see(from, bounds);
                hide_together(from, to.subspan(done), hidden.data() + done);
                return;
            }
            if (choice == Choice::alone && !in_vain) {
                const std::uint64_t search = Steps::kSearch + around_ * Steps::kFound;
                budget_.was_in_vain(around_ * Steps::kTest + (shared_ ? 0 : search));
                in_vain = true; // the rest may go together, if this look is expensive
            }
        }
        hidden[done] = is_hidden(from, to[done], choice) ? 1 : 0;
    }
}

template class Looks<2>;
template class Looks<3>;

} // namespace throng
