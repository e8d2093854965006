// Frames of a PublishedCrowd, made by updates and by edits, while readers hold older ones. Each
// must be, to the byte, what one Crowd is that gets the same calls, and stay so until it is let go.
// What is refused publishes nothing.
#include "../support/scenes/scenes.hpp"
#include "../support/threads/executors.hpp"
#include "fuzz.hpp"

#include <throng/engine/crowd/published_crowd.hpp>
#include <throng/engine/frozen/frozen.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace throng::fuzz {
namespace {

constexpr Id kIds = 48;
constexpr std::size_t kMostSteps = 100, kMostHeld = 5;
constexpr float kSide = 16.0f;

template <std::size_t Dim>
class Published {
    using Edits = std::vector<Edit<Dim>>;

public:
    explicit Published(Input& input) : input_(input) {}

    void run() {
        configure();
        for (std::size_t s = 0; s < kMostSteps && !input_.empty(); ++s) {
            step();
        }
        for (const Held& one : held_) {
            check(one);
        }
    }

private:
    /// A frame, and what it has to be until it is let go.
    struct Held {
        Snapshot<Crowd<Dim>> frame;
        std::vector<std::byte> bytes;
    };

    void step() {
        const std::uint32_t what = input_.below(16);
        if (what < 3) {
            update();
        } else if (what < 8) {
            edit(any_edits(input_.below(6), kIds));
        } else if (what == 8) { // so long a list that older ones are forgotten
            edit(any_edits(input_.below(48), kIds));
        } else if (what < 11) {
            edit_statics();
        } else if (what == 11) {
            set_statics();
        } else if (what == 12) {
            rare();
        } else if (what < 15) {
            hold();
        } else {
            ask();
        }
    }
    void rare() {
        switch (input_.below(4)) {
        case 0:
            return configure();
        case 1:
            return frames_.shrink();
        default:
            const std::uint32_t agents = input_.below(200);
            const Status status = frames_.reserve(agents, shuffled_);
            ASSERT_EQ(status.ok(), plain_.reserve(agents).ok());
        }
    }

    static std::vector<std::byte> frozen(const Crowd<Dim>& crowd) {
        std::vector<std::byte> bytes;
        EXPECT_EQ(save(crowd, bytes), Status{});
        return bytes;
    }

    // Changes.

    /// Frames that are published stay.
    void configure() {
        CrowdSettings<Dim> settings;
        const std::uint32_t around = input_.flip() ? input_.below(1u << Dim) : 0;
        for (std::size_t a = 0; a < Dim; ++a) {
            settings.periodic[a] = (around >> a & 1) != 0;
        }
        if (around != 0 || input_.flip()) {
            settings.bounds = Box<Dim>{{}, Point<Dim>::all(kSide)};
            if (input_.flip()) { settings.cell = Point<Dim>::all(2.5f); }
        }
        settings.refits = input_.flip();
        kind_ = {input_.flip(), input_.flip(), {}};
        if (!kind_.own_half_extents) { kind_.common_half_extent = Point<Dim>::all(0.25f); }
        ASSERT_EQ(frames_.configure(settings, kind_), Status{});
        ASSERT_EQ(plain_.configure(settings, kind_), Status{});
    }
    /// After a call that both got: if it is ok, a frame was published.
    void compare(const Status& status, const Status& of_plain, std::uint64_t before) {
        ASSERT_EQ(status, of_plain);
        const Snapshot<Crowd<Dim>> last = frames_.acquire();
        ASSERT_EQ(last.frame(), before + (status.ok() ? 1 : 0));
        if (!status.ok()) { return; }
        ASSERT_STREQ(last->validate(), nullptr);
        ASSERT_EQ(frozen(*last), frozen(plain_));
    }

    Agent<Dim> any_agent(float spread = 1.0f) {
        Agent<Dim> agent{input_.point<Dim>(), {}, {}};
        for (float& x : agent.position.axis) {
            x = std::clamp(x * spread, -kLargest, kLargest);
        }
        if (input_.below(64) == 0) { agent.position[0] = input_.any_float(); }
        if (kind_.own_half_extents) { agent.half_extent = Point<Dim>::all(half()); }
        if (kind_.groups) { agent.groups = input_.below(16); }
        return agent;
    }
    float half() {
        return input_.below(16) == 0 ? 3.0f : 0.125f * static_cast<float>(input_.below(6));
    }
    /// Of agents whose ids are below `ids`, and of statics.
    Edits any_edits(std::uint32_t count, Id ids) {
        Edits edits;
        while (count-- != 0) {
            const std::uint32_t number = input_.below(ids + 8);
            const Id id = number < ids ? number : static_id(number - ids);
            Agent<Dim> agent = any_agent();
            if (is_static(id) && !agent.half_extent) {
                agent.half_extent = Point<Dim>::all(half());
            }
            // Most are possible, so that most lists are taken.
            const bool there = plain_.contains(id);
            edits.push_back(there == (input_.below(16) == 0) ? Edit<Dim>::insert(id, agent)
                            : input_.flip()                  ? Edit<Dim>::erase(id)
                                                             : Edit<Dim>::move(id, agent.position));
        }
        return edits;
    }

    void update() {
        static constexpr float kSpreads[] = {1.0f, 1.0f, 30.0f, 3000.0f};
        const float spread = input_.any_of(kSpreads);
        scenes::Scene<Dim> scene;
        scene.common_half_extent = kind_.common_half_extent;
        for (std::uint32_t left = 1 + input_.below(kIds); left != 0; --left) {
            const Agent<Dim> agent = any_agent(spread);
            agent.half_extent ? scene.add(agent.position, *agent.half_extent)
                              : scene.add(agent.position);
            if (agent.groups) { scene.groups.push_back(*agent.groups); }
        }
        const std::uint64_t before = frames_.acquire().frame();
        const Status status = frames_.update(scene.agents(), shuffled_);
        compare(status, plain_.update(scene.agents()), before);
    }
    void edit(const Edits& edits) {
        const std::uint64_t before = frames_.acquire().frame();
        const Status status = frames_.edit(edits, shuffled_);
        compare(status, plain_.edit(edits), before);
    }
    /// For frames to come.
    void edit_statics() {
        Edits edits = any_edits(input_.below(4), 0);
        if (input_.below(16) == 0) {
            edits.push_back(Edit<Dim>::insert(3, any_agent()));
            ASSERT_FALSE(frames_.edit_statics(edits).ok());
            return;
        }
        ASSERT_EQ(frames_.edit_statics(edits), plain_.edit(edits));
    }
    void set_statics() {
        scenes::Scene<Dim> still;
        for (std::uint32_t left = input_.below(8); left != 0; --left) {
            still.add(input_.point<Dim>(), Point<Dim>::all(half()));
        }
        ASSERT_EQ(frames_.set_statics(still.agents(), shuffled_), Status{});
        ASSERT_EQ(plain_.set_statics(still.agents()), Status{});
    }

    // Readers.

    void hold() {
        if (held_.size() == kMostHeld || (!held_.empty() && input_.flip())) {
            const auto one = held_.begin() + input_.below(static_cast<std::uint32_t>(held_.size()));
            check(*one);
            held_.erase(one);
            return;
        }
        Snapshot<Crowd<Dim>> last = frames_.acquire();
        if (!last) { return; }
        std::vector<std::byte> bytes = frozen(*last);
        held_.push_back({std::move(last), std::move(bytes)});
    }
    static void check(const Held& one) {
        ASSERT_STREQ(one.frame->validate(), nullptr);
        ASSERT_EQ(frozen(*one.frame), one.bytes);
    }
    /// A frame answers as the crowd does that its file makes.
    void ask() {
        if (held_.empty()) { return; }
        const Held& one = held_[input_.below(static_cast<std::uint32_t>(held_.size()))];
        Crowd<Dim> back;
        ASSERT_EQ(load(back, std::span<const std::byte>(one.bytes)), Status{});
        input_.with_sane_shape<Dim>([&]<class Shape>(const Shape& shape) {
            const std::vector<Shape> questions(1, shape);
            const Filter filter = input_.filter(kIds);
            Hits hits, wanted;
            const Status status = back.query(questions, wanted, filter).status;
            ASSERT_EQ(one.frame->query(questions, hits, filter).status, status);
            if (status.ok()) { ASSERT_TRUE(std::ranges::equal(hits.of(0), wanted.of(0))); }
        });
    }

    Input& input_;
    test::ShuffleExecutor shuffled_{7};
    CrowdKind<Dim> kind_{};
    PublishedCrowd<Dim> frames_;
    Crowd<Dim> plain_;
    std::vector<Held> held_;
};

} // namespace

void run(Input& input) {
    if (input.flip()) {
        Published<3>(input).run();
    } else {
        Published<2>(input).run();
    }
}

} // namespace throng::fuzz
