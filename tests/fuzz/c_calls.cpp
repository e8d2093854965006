// Calls of the C API in any order, with live, dead, null or invented handles: none does harm, and
// live crowds answer like a plain list.
#include "c_host.hpp"
#include "fuzz.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::fuzz {
namespace {

constexpr std::size_t kMostCalls = 40;

class Calls : Host {
public:
    using Host::Host;

    void run() {
        create_crowd();
        create_batch();
        for (std::size_t c = 0; c < kMostCalls && !input_.empty(); ++c) {
            call();
        }
        for (std::size_t i = 0; i < crowds_.kMost; ++i) {
            if (crowds_.live[i]) { check(i); }
        }
    }

private:
    void call() {
        switch (input_.below(24)) {
        case 0:
            return create_crowd();
        case 1:
            return create_batch();
        case 2:
            return create_memory();
        case 3:
            return create_executor();
        case 4:
            return destroy();
        case 5:
        case 6:
        case 7:
            return update();
        case 8:
            return set_statics();
        case 9:
        case 10:
        case 11:
            return edit();
        case 12:
            return clear();
        case 13:
            return check(input_.below(crowds_.kMost));
        case 14:
            return neighbours();
        case 15:
            return pairs();
        case 16:
            return nearest();
        case 17:
            return publish();
        case 18:
            return look();
        case 19:
            return regions();
        case 20:
            return save_and_load();
        default:
            return ask();
        }
    }

    // ---- Questions ---------------------------------------------------------------------------

    /// Checks that a live crowd holds the agents of its model.
    void check(std::size_t slot) {
        if (!crowds_.live[slot]) { return; }
        const Model& model = models_[slot];
        throng_crowd_counts counts = THRONG_CROWD_COUNTS_INIT;
        ASSERT_EQ(throng_crowd_count(crowds_.at[slot], &counts).code, THRONG_OK);
        ASSERT_EQ(counts.dimension, model.dimension);
        ASSERT_EQ(counts.agents, Model::count_of(model.agents));
        ASSERT_EQ(counts.statics, Model::count_of(model.statics));
        ASSERT_LE(counts.id_bound, model.agents.size());

        std::vector<std::uint32_t> ids(counts.agents);
        ASSERT_EQ(throng_crowd_order(crowds_.at[slot], ids.data(), ids.size()).code, THRONG_OK);
        std::sort(ids.begin(), ids.end());
        std::size_t k = 0;
        model.for_each(THRONG_AGENTS, {},
                       [&](Id id, const ModelAgent&) { ASSERT_EQ(ids[k++], id); });
        tell(throng_crowd_order(crowds_.at[slot], ids.data(), input_.below(kIds) % (k + 1)));
    }

    static constexpr std::uint32_t kSets[] = {
        THRONG_EVERYBODY, THRONG_AGENTS, THRONG_STATICS, THRONG_SMALL, THRONG_GIANTS, 0, 8};

    /// Questions about boxes or balls, or any shape with the same bytes.
    struct Questions {
        Struct<throng_questions> given{THRONG_QUESTIONS_INIT};
        std::vector<float> numbers;
        std::vector<throng_filter> filters;
        std::vector<Box<3>> boxes;
        std::vector<Ball<3>> balls;
        bool comparable = false; ///< all are valid boxes or balls
    };
    void make_up(Questions& all, std::uint32_t dim) {
        throng_questions& given = *all.given.value;
        static constexpr std::uint32_t kKinds[] = {1, 2, 3, 4, 5, 6, 7, 8};
        const std::uint32_t kind = input_.flip() ? 1 + input_.below(2) : input_.any_of(kKinds);
        given.sets = input_.any_of(kSets);
        given.count = input_.below(5);
        given.shape = odd(10 * kind + (dim == 3 ? 3 : 2));
        all.comparable = kind <= 2 && given.shape == 10 * kind + dim && given.sets < 8 &&
                         given.sets != THRONG_SMALL && given.sets != THRONG_GIANTS;
        // Enough numbers for the largest shape, so that no shape is read past the end.
        all.numbers.resize(given.count * sizeof(throng_convex3) / sizeof(float));
        std::size_t n = 0;
        for (std::size_t q = 0; q < given.count && kind <= 2; ++q) {
            Box<3>& box = all.boxes.emplace_back();
            for (std::size_t a = 0; a < dim; ++a) {
                box.lo[a] = all.numbers[n++] = input_.coordinate();
            }
            for (std::size_t a = 0; a < dim && kind == 1; ++a) {
                box.hi[a] = all.numbers[n++] = input_.coordinate();
            }
            if (kind == 2) { all.balls.push_back({box.lo, all.numbers[n++] = input_.length()}); }
        }
        for (; kind > 2 && n < all.numbers.size() && n < 40; ++n) {
            all.numbers[n] = input_.flip() ? input_.coordinate() : input_.any_float();
        }
        const std::uint32_t filters = input_.below(3);
        all.filters.resize(filters == 2 ? given.count : filters);
        for (throng_filter& filter : all.filters) {
            const Filter any = input_.filter(kIds);
            filter = {any.groups, any.without};
        }
        given.shapes = input_.below(32) == 0 ? nullptr : all.numbers.data();
        given.filters = all.filters.data();
        given.filter_count = all.filters.size();
    }
    /// How many hits the model has.
    static std::uint64_t wanted(const Questions& all, std::size_t q, const Model& model) {
        Filter filter;
        if (!all.filters.empty()) {
            const throng_filter& own = all.filters[all.filters.size() == 1 ? 0 : q];
            filter = {own.groups, own.without};
        }
        const std::uint32_t sets = all.given.value->sets;
        return all.balls.empty() ? model.count(all.boxes[q], sets, filter)
                                 : model.count(all.balls[q], sets, filter);
    }
    /// Whether the crowd in this slot can be compared with its model.
    [[nodiscard]] bool is_known(const throng_status& status, std::size_t slot) const {
        tell(status);
        return status.code == THRONG_OK && slot != kNoSlot && models_[slot].known;
    }

    void ask() {
        std::size_t slot;
        throng_crowd* const crowd = any(crowds_, slot);
        throng_batch* const batch = any(batches_);
        Questions all;
        make_up(all, slot == kNoSlot ? 2 : models_[slot].dimension);
        const std::size_t count = all.given.value->count;
        switch (input_.below(6)) {
        case 0: {
            Struct<throng_hits> hits(THRONG_HITS_INIT);
            throng_hits* const out = hits.at(input_);
            const throng_status status = throng_query(batch, crowd, all.given.at(input_), out);
            if (is_known(status, slot) && all.comparable) { check_hits(*out, all, slot); }
            return;
        }
        case 1: {
            std::vector<std::uint64_t> offsets(count + 1);
            std::vector<std::uint32_t> ids(input_.below(80));
            Struct<throng_hits_room> room(THRONG_HITS_ROOM_INIT);
            room.value->offsets = offsets.data();
            room.value->offset_room = input_.below(16) == 0 ? count : offsets.size();
            room.value->ids = ids.data();
            room.value->id_room = ids.size();
            throng_hits_room* const out = room.at(input_);
            const throng_status status = throng_query_into(batch, crowd, all.given.at(input_), out);
            if (!is_known(status, slot) || !all.comparable) { return; }
            check_hits({sizeof(throng_hits), offsets.data(), ids.data(), count, out->total}, all,
                       slot);
            return;
        }
        case 2: {
            std::vector<std::uint32_t> counts(count);
            std::uint64_t sum = 0;
            const throng_status status = throng_count(batch, crowd, all.given.at(input_),
                                                      counts.data(), counts.size(), &sum);
            if (!is_known(status, slot) || !all.comparable) { return; }
            for (std::size_t q = 0; q < count; ++q) {
                ASSERT_EQ(counts[q], wanted(all, q, models_[slot]));
            }
            return;
        }
        case 3: {
            std::vector<std::uint32_t> found(count);
            const throng_status status =
                throng_any(batch, crowd, all.given.at(input_), found.data(), found.size(), nullptr);
            if (!is_known(status, slot) || !all.comparable) { return; }
            for (std::size_t q = 0; q < count; ++q) {
                ASSERT_EQ(found[q], wanted(all, q, models_[slot]) == 0 ? 0u : 1u);
            }
            return;
        }
        case 4: {
            std::vector<throng_meeting> meetings(count);
            tell(throng_first(batch, crowd, all.given.at(input_), meetings.data(), meetings.size(),
                              nullptr));
            Struct<throng_query_costs> costs(THRONG_QUERY_COSTS_INIT);
            return tell(throng_explain(crowd, all.given.at(input_), costs.at(input_)));
        }
        default: {
            std::vector<std::uint32_t> ids(input_.below(40));
            std::uint64_t total = 0;
            const throng_questions* const asked = all.given.at(input_);
            const throng_status status =
                throng_query_one(crowd, asked, ids.data(), ids.size(), &total);
            if (!is_known(status, slot) || !all.comparable) { return; }
            ASSERT_EQ(total, wanted(all, 0, models_[slot]));
            std::uint32_t any = 0;
            ASSERT_EQ(throng_count_one(crowd, asked, &total).code, THRONG_OK);
            ASSERT_EQ(throng_any_one(crowd, asked, &any).code, THRONG_OK);
            ASSERT_EQ(total, wanted(all, 0, models_[slot]));
            ASSERT_EQ(any, total == 0 ? 0u : 1u);
        }
        }
    }
    void check_hits(const throng_hits& hits, const Questions& all, std::size_t slot) const {
        const std::size_t count = all.given.value->count;
        ASSERT_EQ(hits.count, count);
        ASSERT_EQ(hits.offsets[0], 0u);
        for (std::size_t q = 0; q < count; ++q) {
            ASSERT_EQ(hits.offsets[q + 1] - hits.offsets[q], wanted(all, q, models_[slot]));
        }
        ASSERT_EQ(hits.total, hits.offsets[count]);
        for (std::uint64_t i = 0; i < hits.total; ++i) {
            const Id id = hits.ids[i];
            ASSERT_TRUE(id >= THRONG_FIRST_STATIC || models_[slot].agents[id].has_value());
        }
    }

    void neighbours() {
        std::size_t slot;
        throng_crowd* const crowd = any(crowds_, slot);
        throng_batch* const batch = any(batches_);
        Struct<throng_neighbourhood> near(THRONG_NEIGHBOURHOOD_INIT);
        near.value->radius = input_.below(8) == 0 ? input_.any_float() : input_.length();
        near.value->groups = input_.filter(1).groups;
        near.value->sets = input_.any_of(kSets);
        near.value->order = odd(input_.below(2));
        near.value->with_self = odd(input_.below(2));
        Struct<throng_hits> hits(THRONG_HITS_INIT);
        throng_hits* const out = hits.at(input_);
        if (is_known(throng_neighbours(batch, crowd, near.at(input_), out), slot) &&
            near.value->sets != THRONG_SMALL && near.value->sets != THRONG_GIANTS) {
            ASSERT_EQ(out->total,
                      models_[slot].neighbours(near.value->radius, near.value->with_self != 0,
                                               near.value->sets, near.value->groups));
        }
        std::vector<std::uint32_t> counts(input_.below(2 * kIds));
        std::uint64_t sum = 0;
        tell(throng_count_neighbours(batch, crowd, near.at(input_), counts.data(), counts.size(),
                                     &sum));
        (void)throng_neighbours_bound(crowd, odd(THRONG_EVERYBODY));
        (void)throng_answers_bound(crowd, odd(0));
    }

    void pairs() {
        std::size_t slot;
        throng_crowd* const crowd = any(crowds_, slot);
        throng_batch* const batch = any(batches_);
        Struct<throng_pairing> pairing(THRONG_PAIRING_INIT);
        pairing.value->groups = input_.filter(1).groups;
        pairing.value->sets = input_.flip() ? THRONG_AGENT_PAIRS : input_.below(40);
        std::uint64_t total = 0;
        const throng_pairing* const given = pairing.at(input_);
        const std::uint32_t groups = given == nullptr ? kAllGroups : given->groups;
        const bool agents = given == nullptr || given->sets == THRONG_AGENT_PAIRS;
        if (is_known(throng_count_pairs(batch, crowd, given, &total), slot) && agents) {
            ASSERT_EQ(total, models_[slot].pairs(groups));
        }
        std::vector<std::uint32_t> first(input_.below(40)), second(first.size());
        Struct<throng_pairs_room> room(THRONG_PAIRS_ROOM_INIT);
        room.value->first = first.data();
        room.value->second = second.data();
        room.value->room = first.size();
        tell(throng_find_pairs_into(batch, crowd, pairing.at(input_), room.at(input_)));
        Struct<throng_pairs> all(THRONG_PAIRS_INIT);
        tell(throng_find_pairs(batch, crowd, pairing.at(input_), all.at(input_)));
        (void)throng_pairs_bound(crowd, odd(THRONG_ALL_PAIRS));
    }

    void nearest() {
        std::size_t slot;
        throng_crowd* const crowd = any(crowds_, slot);
        throng_batch* const batch = any(batches_);
        Struct<throng_nearest> nearest(THRONG_NEAREST_INIT);
        nearest.value->k = input_.below(32) == 0 ? input_.raw<std::uint32_t>() : input_.below(9);
        nearest.value->radius = input_.below(8) == 0 ? input_.any_float() : input_.length();
        nearest.value->sets = input_.any_of(kSets);
        nearest.value->order = odd(input_.below(2));
        Struct<throng_points> points(THRONG_POINTS_INIT);
        std::vector<float> coordinates(3 * input_.below(6));
        for (float& x : coordinates) {
            x = input_.below(8) == 0 ? input_.any_float() : input_.coordinate();
        }
        points.value->dimension = odd(slot == kNoSlot ? 2 : models_[slot].dimension);
        points.value->coordinates = coordinates.data();
        points.value->count = coordinates.size() / 3;
        Struct<throng_near_hits> hits(THRONG_NEAR_HITS_INIT);
        throng_near_hits* const out = hits.at(input_);
        const throng_nearest* const given = nearest.at(input_);
        if (is_known(throng_find_nearest(batch, crowd, points.at(input_), given, out), slot)) {
            ASSERT_EQ(out->count, points.value->count);
            for (std::uint64_t q = 0; q < out->count; ++q) {
                ASSERT_LE(out->counts[q], given->k);
            }
        }
        std::vector<throng_near> near(input_.below(60));
        std::vector<std::uint32_t> counts(input_.below(kIds));
        Struct<throng_near_room> room(THRONG_NEAR_ROOM_INIT);
        room.value->nearest = near.data();
        room.value->near_room = near.size();
        room.value->counts = counts.data();
        room.value->count_room = counts.size();
        tell(throng_nearest_neighbours_into(batch, crowd, nearest.at(input_), room.at(input_)));
        (void)throng_nearest_bound(input_.raw<std::uint64_t>(), odd(1));
    }

    // ---- Snapshots, and calls without an object ----------------------------------------------

    void publish() {
        Struct<throng_crowd_settings> settings(THRONG_CROWD_SETTINGS_INIT);
        settings.value->dimension = dimension();
        if (input_.below(4) == 0) {
            create_in(published_, [&](auto** out) {
                return throng_published_create(settings.at(input_), out);
            });
        }
        Crowded all, standing;
        crowd_together(all, input_.flip() ? 3 : 2);
        crowd_together(standing, input_.flip() ? 3 : 2);
        throng_published* const published = any(published_);
        tell(throng_published_set_statics(published, standing.given.at(input_), executor()));
        tell(throng_published_update(published, all.given.at(input_), executor()));
        if (input_.flip()) {
            tell(throng_published_reserve(published, input_.below(10'000), executor()));
        }
    }
    /// A frame's crowd answers questions, refuses changes, and ends with its snapshot.
    void look() {
        throng_snapshot* got = nullptr;
        tell(throng_snapshot_acquire(any(published_), &got));
        throng_crowd* shown = nullptr;
        std::uint64_t frame = 0;
        if (got != nullptr) {
            ASSERT_EQ(throng_snapshot_look(got, &frame, &shown).code, THRONG_OK);
            ASSERT_GE(frame, 1u);
            ASSERT_EQ(throng_crowd_clear(shown).code, THRONG_READ_ONLY);
            const std::size_t i = input_.below(snapshots_.kMost);
            if (snapshots_.live[i]) { (void)throng_snapshot_release(snapshots_.at[i]); }
            snapshots_.at[i] = got;
            snapshots_.live[i] = true;
        }
        tell(throng_snapshot_look(any(snapshots_), &frame, &shown));
        Struct<throng_crowd_counts> counts(THRONG_CROWD_COUNTS_INIT);
        tell(throng_crowd_count(shown, counts.at(input_)));
        tell(throng_crowd_count(any(crowds_), counts.at(input_)));
    }
    void regions() {
        std::vector<float> corners(24);
        for (float& x : corners) {
            x = input_.below(16) == 0 ? input_.any_float() : input_.coordinate();
        }
        throng_convex2 polygon;
        tell(throng_polygon(corners.data(), input_.below(12), &polygon));
        throng_convex3 frustum;
        tell(throng_frustum(corners.data(), &frustum));
        throng_status status = {};
        status.code = static_cast<std::int32_t>(input_.raw<std::uint32_t>());
        status.argument = input_.flip() ? "crowd" : nullptr;
        status.index = input_.raw<std::uint64_t>();
        char text[8];
        (void)throng_status_text(status, text, input_.below(sizeof text + 1));
        (void)throng_query_bound(any(crowds_), input_.raw<std::uint64_t>(), odd(THRONG_EVERYBODY));
    }
};

} // namespace

void run(Input& input) { Calls(input).run(); }

} // namespace throng::fuzz
