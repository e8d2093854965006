#include "sequence.hpp"

#include "../support/numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace throng::test {

namespace {

constexpr Id kIds = 56; // most ids are smaller than this

/// Draws operations, and tracks their effects roughly.
template <std::size_t Dim>
class Maker {
public:
    Maker(Distribution distribution, bool large, scenes::Random& random)
        : distribution_(distribution), large_(large), random_(random),
          ground_(distribution, random) {}

    [[nodiscard]] const Ground<Dim>& ground() const noexcept { return ground_; }

    CrowdKind<Dim> kind() {
        CrowdKind<Dim> kind;
        kind.own_half_extents = distribution_ == Distribution::mixed_sizes || random_.below(2) == 0;
        kind.groups = random_.below(2) == 0;
        if (!kind.own_half_extents) { kind.common_half_extent = ground_.half_extent(); }
        alive_.kind = kind;
        return kind;
    }

    Operation<Dim> update(std::size_t count) {
        Operation<Dim> all{What::update};
        // The kind of crowd rarely changes.
        all.kind = random_.below(8) == 0 ? kind() : alive_.kind;
        for (Id id = 0; id < count; ++id) {
            // Half of a frame's moves are short.
            const bool near = id < kIds && alive_.is[id] && random_.below(2) == 0;
            all.agents.push_back(agent(near ? beside(alive_.at[id]) : ground_.place(), all.kind));
        }
        if (count != 0 && random_.below(32) == 0) {
            all.agents[random_.below(static_cast<std::uint32_t>(count))].position[0] = kNan;
            return all; // refused
        }
        alive_.is.fill(false);
        alive_.kind = all.kind;
        for (Id id = 0; id < std::min<std::size_t>(count, kIds); ++id) {
            alive_.is[id] = true;
            alive_.at[id] = all.agents[id].position;
        }
        return all;
    }

    Operation<Dim> edit_one() {
        Operation<Dim> one{What::edit_one};
        one.edits.push_back(edit());
        return one;
    }

    Operation<Dim> edit_many() {
        Operation<Dim> many{What::edit_many};
        const auto before = alive_;
        for (std::uint32_t left = random_.below(9); left != 0; --left) {
            many.edits.push_back(edit());
        }
        if (random_.below(8) == 0) {
            many.edits.push_back(Edit<Dim>::erase(kIds + random_.below(1000)));
            alive_ = before;
        }
        return many;
    }

    Operation<Dim> clear() {
        alive_.is.fill(false);
        return {What::clear};
    }

    Operation<Dim> question(What what) {
        Operation<Dim> asking{what};
        const std::uint32_t type = what == What::nearest     ? 1
                                   : what == What::path_hits ? 3 + random_.below(3)
                                                             : random_.below(9);
        // Enough questions for a batch with several blocks of some hundred each.
        const std::uint32_t some = large_ ? 1500 : 7;
        for (std::uint32_t i = what == What::batch ? random_.below(some) : 1; i != 0; --i) {
            asking.shapes.push_back(shape(type));
        }
        asking.filter = filter();
        asking.k = random_.below(12);
        return asking;
    }

    Operation<Dim> pairs() {
        Operation<Dim> asking{What::pairs};
        asking.filter.groups = filter().groups;
        return asking;
    }

private:
    struct Alive {
        std::array<bool, kIds> is{};
        std::array<Point<Dim>, kIds> at{};
        CrowdKind<Dim> kind{};
    };

    bool once_in(std::uint32_t many) { return random_.below(many) == 0; }

    Point<Dim> beside(Point<Dim> point) {
        const std::size_t axis = random_.below(Dim);
        point[axis] = once_in(2) ? ground_.nudged(point[axis])
                                 : kept(point[axis] + 0.3f * random_.bell() * ground_.cell()[axis]);
        return point;
    }

    static float kept(float value) { return std::clamp(value, -kLargest, kLargest); }

    Agent<Dim> agent(const Point<Dim>& position, const CrowdKind<Dim>& kind) {
        Agent<Dim> agent{position, {}, {}};
        if (kind.own_half_extents) { agent.half_extent = ground_.half_extent(); }
        if (kind.groups) { agent.groups = random_.below(16); }
        return agent;
    }

    Id present() {
        const Id first = random_.below(kIds);
        for (Id i = 0; i < kIds; ++i) {
            if (alive_.is[(first + i) % kIds]) { return (first + i) % kIds; }
        }
        return first;
    }

    Id absent() {
        if (once_in(64)) { return kIds + random_.below(300); }
        Id id = 0;
        while (id + 1 < kIds && alive_.is[id]) {
            ++id;
        }
        return std::min<Id>(id + random_.below(4), kIds - 1);
    }

    Edit<Dim> edit() {
        const std::uint32_t pick = random_.below(16);
        // Sometimes an edit that must be refused: of a taken or unknown id, or with an invalid
        // position.
        const bool odd = once_in(16);
        if (pick < 6) {
            const Id id = odd ? present() : absent();
            const Agent<Dim> came = agent(doubtful(ground_.place()), alive_.kind);
            if (id < kIds && !alive_.is[id] && !std::isnan(came.position[0])) {
                alive_.is[id] = true;
                alive_.at[id] = came.position;
            }
            return Edit<Dim>::insert(id, came);
        }
        const Id id = odd ? absent() : present();
        if (pick < (distribution_ == Distribution::churn ? 11u : 9u)) {
            if (id < kIds) { alive_.is[id] = false; }
            return Edit<Dim>::erase(id);
        }
        const bool near = id < kIds && once_in(2);
        const Point<Dim> to = doubtful(near ? beside(alive_.at[id]) : ground_.place());
        if (id < kIds && alive_.is[id] && !std::isnan(to[0])) { alive_.at[id] = to; }
        return Edit<Dim>::move(id, to);
    }

    Point<Dim> doubtful(Point<Dim> point) {
        if (once_in(100)) { point[0] = kNan; }
        return point;
    }

    Filter filter() {
        switch (random_.below(6)) {
        case 0:
            return {random_.below(16), kNoId};
        case 1:
            return {kAllGroups, present()};
        case 2:
            return {random_.below(16), random_.below(kIds)};
        default:
            return {};
        }
    }

    /// A random place for a question.
    Point<Dim> spot() {
        switch (random_.below(8)) {
        case 0:
            return ground_.place();
        case 1:
            return ground_.corner();
        case 2:
            return ground_.hub();
        case 3:
            return beside(alive_.at[present()]);
        default:
            return alive_.at[present()];
        }
    }

    /// A distance that ends at a cell's edge or at an agent, or one float beside.
    float reach() {
        float reach = ground_.length();
        if (distribution_ == Distribution::rim) { reach = ground_.rim(); }
        if (once_in(3)) {
            const std::size_t axis = random_.below(Dim);
            reach = std::abs(alive_.at[present()][axis] - alive_.at[present()][axis]);
        }
        if (once_in(4)) { reach = std::abs(ground_.nudged(reach)); }
        return once_in(200) ? -1.0f : std::min(reach, kLargest);
    }

    Point<Dim> direction() {
        Point<Dim> along;
        along[random_.below(Dim)] = once_in(2) ? 1.0f : -1.0f;
        if (once_in(2)) {
            for (float& d : along.axis) {
                d = random_.between(-1.0f, 1.0f);
            }
        }
        const float scale = once_in(8) ? 1e-30f : once_in(100) ? 0.0f : 1.0f;
        for (float& d : along.axis) {
            d *= scale;
        }
        return along;
    }

    Box<Dim> box() {
        const Point<Dim> middle = doubtful(spot());
        Box<Dim> box{middle, middle};
        if (once_in(8)) { return box; }
        if (once_in(16)) { return ground_.world(); }
        if (once_in(16)) { return {Point<Dim>::all(-kLargest), Point<Dim>::all(kLargest)}; }
        const bool cube = once_in(2);
        const float size = reach();
        for (std::size_t a = 0; a < Dim; ++a) {
            const float half = cube ? size : reach();
            box.lo[a] = kept(middle[a] - half);
            box.hi[a] = kept(middle[a] + half);
        }
        // The path begins exactly where an agent's box ends.
        if (once_in(4)) {
            const Point<Dim> half = alive_.kind.common_half_extent;
            const std::size_t axis = random_.below(Dim);
            box.lo[axis] = ground_.nudged(kept(middle[axis] + half[axis]));
        }
        return box;
    }

    Convex<Dim> convex() {
        Convex<Dim> region;
        region.count = random_.below(5);
        for (std::size_t s = 0; s < region.count; ++s) {
            const Point<Dim> normal = direction();
            const Point<Dim> border = spot();
            float offset = 0.0f;
            for (std::size_t a = 0; a < Dim; ++a) {
                offset += normal[a] * border[a];
            }
            region.sides[s] = {normal, kept(offset)};
        }
        if (once_in(2)) { region.bounds = box(); }
        return region;
    }

    OrientedBox<Dim> oriented_box() {
        OrientedBox<Dim> turned{doubtful(spot()), {}};
        for (std::size_t e = 0; e < Dim; ++e) {
            const Point<Dim> along = direction();
            const float length = reach();
            for (std::size_t a = 0; a < Dim; ++a) {
                turned.half_edges[e][a] = along[a] * length;
            }
        }
        return turned;
    }

    AnyShape<Dim> shape(std::uint32_t type) {
        switch (type) {
        case 0:
            return box();
        case 1:
            return Ball<Dim>{doubtful(spot()), reach()};
        case 2: {
            constexpr float kCosines[] = {-1.0f, -0.5f, 0.0f, 0.70710678f, 0.96f, 1.0f, 1.5f};
            return Sector<Dim>{doubtful(spot()), reach(), direction(),
                               kCosines[random_.below(once_in(8) ? 7 : 6)]};
        }
        case 3:
            return Segment<Dim>{doubtful(spot()), spot()};
        case 4:
            return Ray<Dim>{doubtful(spot()), direction(), once_in(2) ? kLargest : reach()};
        case 5:
            return Capsule<Dim>{doubtful(spot()), spot(), reach()};
        case 6:
            return convex();
        case 7:
            return oriented_box();
        default: {
            const auto up = 1 + random_.below(once_in(16) ? 3 : Dim - 1);
            const Point<Dim> middle = spot();
            const float height = kept(middle[Dim - 1] - (once_in(2) ? 0.0f : reach()));
            return Cylinder<Dim>{doubtful(spot()), reach(), height,
                                 once_in(4) ? kLargest : kept(middle[Dim - 1] + reach()), up};
        }
        }
    }

    Distribution distribution_;
    bool large_;
    scenes::Random& random_;
    Ground<Dim> ground_;
    Alive alive_;
};

/// How many of a hundred operations are of this kind.
struct Part {
    What what;
    std::uint32_t parts;
};
constexpr Part kParts[] = {
    {What::edit_one, 34}, {What::edit_many, 6}, {What::update, 6},   {What::tidy, 4},
    {What::clear, 1},     {What::visit, 13},    {What::query, 5},    {What::query_some, 4},
    {What::count, 5},     {What::any, 5},       {What::batch, 5},    {What::nearest, 4},
    {What::path_hits, 3}, {What::pairs, 3},     {What::validate, 2},
};

What what_next(scenes::Random& random) {
    std::uint32_t pick = random.below(100);
    for (const auto& [what, parts] : kParts) {
        if (pick < parts) { return what; }
        pick -= parts;
    }
    return What::validate;
}

} // namespace

template <std::size_t Dim>
Sequence<Dim> make_sequence(std::uint64_t seed) {
    // Neighbouring seeds differ in one bit of the state; a first draw makes them independent.
    scenes::Random random(seed);
    random = scenes::Random(random.next());
    Sequence<Dim> made;
    made.seed = seed;
    made.distribution =
        static_cast<Distribution>(random.below(std::uint32_t{kDistributionNames.size()}));
    // Few agents find nearly all mistakes, and fast. With many, rows are long and trees have
    // levels.
    const bool large = is_large(seed);
    const std::uint32_t most = large ? 1500 : 40;
    Maker<Dim> maker(made.distribution, large, random);
    made.kind = maker.kind();
    std::size_t agents = random.below(most + 1);
    if (made.distribution == Distribution::empty) { agents = 0; }
    if (made.distribution == Distribution::one) { agents = 1; }
    made.layout.world = maker.ground().world();
    made.layout.cell = maker.ground().cell();
    made.layout.position[0].assign(agents, 0.0f);

    std::vector<Operation<Dim>>& operations = made.operations;
    if (random.below(8) != 0) { operations.push_back(maker.update(agents)); }
    for (std::uint32_t left = 6 + random.below(15); left != 0; --left) {
        const What what = what_next(random);
        switch (what) {
        case What::update:
            // Mostly as many agents as before, so that structures can use what they keep for the
            // next frame.
            if (random.below(3) == 0) { agents = random.below(most + 1); }
            operations.push_back(maker.update(agents));
            break;
        case What::edit_one:
            operations.push_back(maker.edit_one());
            break;
        case What::edit_many:
            operations.push_back(maker.edit_many());
            break;
        case What::clear:
            operations.push_back(maker.clear());
            break;
        case What::tidy:
        case What::validate:
            operations.push_back({what});
            break;
        case What::pairs:
            operations.push_back(maker.pairs());
            break;
        default:
            operations.push_back(maker.question(what));
        }
    }
    // A last question checks that every agent is present.
    Operation<Dim> everywhere{What::visit};
    everywhere.shapes.push_back(Box<Dim>{Point<Dim>::all(-kLargest), Point<Dim>::all(kLargest)});
    operations.push_back(std::move(everywhere));
    operations.push_back({What::validate});
    return made;
}

template Sequence<2> make_sequence(std::uint64_t);
template Sequence<3> make_sequence(std::uint64_t);

} // namespace throng::test
