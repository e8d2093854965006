// A vantage-point tree over agents' centres, built anew in every frame.
#include "../contenders.hpp"
#include "plain_nearest.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace throng::shootout {

namespace {

/// The tree is its array of centres: the first of a range is its vantage point, the nearer half of
/// the others comes next, and then the farther half.
template <std::size_t Dim>
class PlainVpTree final : public Subject<Dim> {
public:
    void update(const Walkers<Dim>& walkers) override {
        centres_.resize(walkers.size());
        shells_.resize(walkers.size());
        for (std::size_t i = 0; i < centres_.size(); ++i) {
            centres_[i] = {walkers.position_of(i), static_cast<Id>(i), 0.0f};
        }
        build(0, centres_.size());
    }

    [[nodiscard]] bool offers(Skill skill, Way way) const noexcept override {
        return way == Way::single && (skill == Skill::balls || skill == Skill::nearest);
    }

    void ask(std::span<const Ball<Dim>> balls, Way, Answers& answers) override {
        Id* const out = answers.room().data();
        for (const Ball<Dim>& ball : balls) {
            std::size_t found = 0;
            visit(
                ball.centre, 0, centres_.size(), [&] { return ball.radius; },
                [&](const Centre& centre, float distance2) {
                    out[found] = centre.id;
                    found += distance2 <= ball.radius * ball.radius ? 1 : 0;
                });
            answers.take(found);
        }
    }

    void ask(std::span<const Point<Dim>> points, Way, Answers& answers) override {
        NearestSoFar near;
        for (const Point<Dim>& point : points) {
            near.begin();
            visit(
                point, 0, centres_.size(), [&] { return std::sqrt(near.limit2()); },
                [&](const Centre& centre, float distance2) { near.offer(distance2, centre.id); });
            near.answer(answers);
        }
    }

private:
    struct Centre {
        Point<Dim> position;
        Id id;
        float distance2; ///< to the vantage point of the range that is divided
    };
    /// How far those of both halves are from their vantage point.
    struct Shells {
        float inner_end, outer_begin, outer_end;
    };

    /// Ranges of this length are searched one by one.
    static constexpr std::size_t kLeaf = 24;
    /// Distances are rounded.
    static constexpr float kSlack = 1e-5f;

    [[nodiscard]] static std::size_t middle_of(std::size_t begin, std::size_t end) noexcept {
        return begin + 1 + (end - begin - 1) / 2;
    }

    void build(std::size_t begin, std::size_t end) {
        if (end - begin <= kLeaf) { return; }
        Centre* const first = centres_.data() + begin;
        Centre* const middle = centres_.data() + middle_of(begin, end);
        Centre* const last = centres_.data() + end;
        const auto is_nearer = [](const Centre& a, const Centre& b) {
            return a.distance2 < b.distance2;
        };
        // One on the rim, because from there shells are flat and cut others less: it is the
        // farthest from the vantage point above.
        std::swap(*first, *std::max_element(first, last, is_nearer));
        float farthest2 = 0.0f;
        for (Centre* centre = first + 1; centre != last; ++centre) {
            centre->distance2 = distance2_between(first->position, centre->position);
            farthest2 = std::max(farthest2, centre->distance2);
        }
        std::nth_element(first + 1, middle, last, is_nearer);
        const float inner2 = std::max_element(first + 1, middle, is_nearer)->distance2;
        shells_[begin] = {std::sqrt(inner2), std::sqrt(middle->distance2), std::sqrt(farthest2)};
        build(begin + 1, middle_of(begin, end));
        build(middle_of(begin, end), end);
    }

    /// Passes on all centres that may be within reach(), which may shrink meanwhile, of the point.
    /// A range is half of the one above, so this goes as deep as its length has bits.
    template <class Reach, class Take>
    void visit(const Point<Dim>& point, std::size_t begin, std::size_t end, const Reach& reach,
               const Take& take) const {
        if (end - begin <= kLeaf) {
            for (std::size_t i = begin; i < end; ++i) {
                take(centres_[i], distance2_between(point, centres_[i].position));
            }
            return;
        }
        const float distance2 = distance2_between(point, centres_[begin].position);
        take(centres_[begin], distance2);
        const Shells& shells = shells_[begin];
        const std::size_t middle = middle_of(begin, end);
        const float distance = std::sqrt(distance2);
        const float slack = kSlack * (distance + shells.outer_end);
        const auto go_in = [&] {
            if (distance - reach() <= shells.inner_end + slack) {
                visit(point, begin + 1, middle, reach, take);
            }
        };
        const auto go_out = [&] {
            const float wide = reach() + slack;
            if (distance + wide >= shells.outer_begin && distance - wide <= shells.outer_end) {
                visit(point, middle, end, reach, take);
            }
        };
        // First where the point is.
        if (distance < 0.5f * (shells.inner_end + shells.outer_begin)) {
            go_in();
            go_out();
        } else {
            go_out();
            go_in();
        }
    }

    std::vector<Centre> centres_;
    std::vector<Shells> shells_; // by the place of the vantage point
};

} // namespace

std::vector<Entry> plain_vp_tree() {
    return {{Kind::plain, "plain_vp_tree", "rebuild", "",
             [](const Crew&) { return std::make_unique<PlainVpTree<2>>(); },
             [](const Crew&) { return std::make_unique<PlainVpTree<3>>(); }}};
}

} // namespace throng::shootout
