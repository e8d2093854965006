// Changes of crowds in steps through the C API, against its calls that change a crowd at once.
#include "../support/allocation_counter.hpp"
#include "refusals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace throng::test {

namespace {

void is(const throng_status& status, int code, const std::string& argument,
        std::uint64_t index = 0) {
    EXPECT_EQ(status.code, code) << text_of(status);
    EXPECT_EQ(status.argument, argument) << text_of(status);
    EXPECT_EQ(status.index, index) << text_of(status);
}

/// Runs the rest of a change, each loop on two threads.
void finish(throng_change* change, throng_loop loop) {
    while (loop.blocks != 0) {
        std::thread other([&] { ok(throng_change_run(change, loop.blocks / 2, loop.blocks)); });
        ok(throng_change_run(change, 0, loop.blocks / 2));
        other.join();
        const throng_status status = throng_change_next(change, &loop);
        ok(status);
        if (status.code != THRONG_OK) { return; }
    }
}

/// Many agents, every fiftieth of them a giant; the second half moves in every frame.
class OwnAgents {
public:
    explicit OwnAgents(std::uint32_t dimension, bool doubles = false) {
        for (std::size_t i = 0; i < kCount; ++i) {
            for (std::uint32_t a = 0; a < dimension; ++a) {
                coordinates_.push_back(static_cast<float>((i * (7919 + 40 * a) + a) % 1000));
                extents_.push_back(i % 50 == 3 ? 30.0f : 0.75f);
            }
            masks_.push_back(1u << i % 5);
        }
        far_.assign(coordinates_.begin(), coordinates_.end());
        const auto stride = static_cast<std::ptrdiff_t>(dimension * sizeof(float));
        given = throng_agents_interleaved(dimension, coordinates_.data(), kCount, stride);
        for (std::uint32_t a = 0; a < dimension; ++a) {
            given.half_extent[a] = extents_.data() + a;
            given.half_extent_stride[a] = stride;
            if (doubles) {
                given.position[a] = far_.data() + a;
                given.position_stride[a] = 2 * stride;
            }
        }
        given.doubles = doubles ? 1 : 0;
        given.groups = masks_.data();
        given.groups_stride = sizeof(std::uint32_t);
    }

    void move(std::size_t frame) {
        for (std::size_t i = coordinates_.size() / 2; i < coordinates_.size(); ++i) {
            coordinates_[i] = static_cast<float>((i * 31 + frame * 17) % 1000);
            far_[i] = coordinates_[i];
        }
    }

    static constexpr std::size_t kCount = 6000;
    throng_agents given;

private:
    std::vector<float> coordinates_, extents_;
    std::vector<double> far_;
    std::vector<std::uint32_t> masks_;
};

throng_crowd* crowd_of(std::uint32_t dimension, throng_memory* memory = nullptr) {
    throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
    settings.dimension = dimension;
    settings.memory = memory;
    throng_crowd* crowd = nullptr;
    ok(throng_crowd_create(&settings, &crowd));
    return crowd;
}

/// The state of a crowd: how many agents, how many giants, then all ids in storage order.
std::vector<std::uint64_t> said(const throng_crowd* crowd) {
    throng_crowd_counts counts = THRONG_CROWD_COUNTS_INIT;
    ok(throng_crowd_count(crowd, &counts));
    std::vector<std::uint32_t> order(counts.agents);
    ok(throng_crowd_order(crowd, order.data(), order.size()));
    std::vector<std::uint64_t> said = {counts.agents, counts.giants, counts.id_bound};
    said.insert(said.end(), order.begin(), order.end());
    return said;
}

std::vector<throng_edit> some_edits() {
    std::vector<throng_edit> edits;
    for (std::uint32_t id = 0; id < 900; id += 2) {
        throng_edit edit{};
        edit.kind = id % 40 == 0 ? THRONG_ERASE : THRONG_MOVE;
        edit.id = id;
        for (float& x : edit.position) {
            x = static_cast<float>(id % 13);
        }
        edits.push_back(edit);
    }
    return edits;
}

TEST(CApiChange, GivesWhatTheCallsGive) {
    for (const std::uint32_t dimension : kDimensions) {
        for (const bool doubles : {false, true}) {
            OwnAgents agents(dimension, doubles);
            throng_crowd* const expected = crowd_of(dimension);
            throng_crowd* const crowd = crowd_of(dimension);
            throng_change* change = nullptr;
            throng_loop loop = THRONG_LOOP_INIT;
            ok(throng_change_create(&change));
            for (std::size_t frame = 0; frame < 3; ++frame) {
                agents.move(frame);
                ok(throng_crowd_update(expected, &agents.given, nullptr));
                ok(throng_change_update(change, crowd, &agents.given, 2, &loop));
                EXPECT_GT(loop.blocks, 0u);
                finish(change, loop);
                EXPECT_EQ(said(crowd), said(expected));
                std::vector<throng_edit> edits = some_edits();
                ok(throng_crowd_edit(expected, edits.data(), edits.size(), nullptr));
                ok(throng_change_edit(change, crowd, edits.data(), edits.size(), &loop));
                std::fill(edits.begin(), edits.end(), throng_edit{}); // already copied
                EXPECT_GT(loop.blocks, 0u);
                finish(change, loop);
                EXPECT_EQ(said(crowd), said(expected));
            }
            ok(throng_change_destroy(change));
            ok(throng_crowd_destroy(crowd));
            ok(throng_crowd_destroy(expected));
        }
    }
}

TEST(CApiChange, HasTheCrowdForItself) {
    for (const std::uint32_t dimension : kDimensions) {
        for (const Call& call : calls()) {
            const bool asks =
                std::any_of(call.handles.begin(), call.handles.end(),
                            [](const HandleOf& handle) { return handle.kind == Kind::crowd; });
            const std::string name = call.name;
            if (!asks || name == "throng_crowd_destroy") { continue; }
            Rig rig(dimension);
            const auto before = rig.answers();
            throng_change* other = nullptr;
            throng_crowd* const crowd = call.of_named ? rig.named() : rig.crowd();
            ok(throng_change_create(&other));
            ok(throng_change_update(other, crowd, rig.agents.at(), 2, rig.loop.at()));
            ASSERT_NE(rig.loop.value.blocks, 0u);
            is(call.make(rig), THRONG_BEING_CHANGED, "crowd");
            EXPECT_EQ(throng_query_bound(crowd, 1, THRONG_EVERYBODY), 0u);
            ok(throng_change_cancel(other));
            EXPECT_EQ(rig.answers(), before) << name;
            ok(call.make(rig));
            ok(throng_change_destroy(other));
        }
    }
    Rig rig(2);
    // The same change object can be used again.
    ok(throng_change_update(rig.change(), rig.crowd(), rig.agents.at(), 2, rig.loop.at()));
    ok(throng_change_edit(rig.change(), rig.crowd(), rig.edits_at, 2, rig.loop.at()));
    finish(rig.change(), rig.loop.value);
    ok(throng_crowd_count(rig.crowd(), rig.counts.at()));
    EXPECT_EQ(text_of({THRONG_BEING_CHANGED, 0, "crowd", 0}),
              "crowd is being changed in steps, which have not ended");
}

TEST(CApiChange, EndsWithTheCrowdOrBeforeIt) {
    for (const std::uint32_t dimension : kDimensions) {
        for (std::size_t loops = 0;; ++loops) {
            Rig rig(dimension);
            const auto before = rig.answers();
            throng_loop loop = THRONG_LOOP_INIT;
            const auto begin = [&] {
                ok(throng_change_update(rig.change(), rig.crowd(), rig.agents.at(), 2, &loop));
                for (std::size_t l = 0; l < loops && loop.blocks != 0; ++l) {
                    ok(throng_change_run(rig.change(), 0, loop.blocks));
                    ok(throng_change_next(rig.change(), &loop));
                }
            };
            begin();
            if (loop.blocks == 0) {
                EXPECT_GE(loops, 4u);
                break;
            }
            // The update had the same agents, so the crowd is the same whether the change finished
            // or not.
            ok(throng_change_destroy(rig.change()));
            EXPECT_EQ(rig.answers(), before);
            throng_change* other = nullptr;
            ok(throng_change_create(&other));
            rig.handles[static_cast<std::size_t>(Kind::change)] = other;
            begin();
            ok(rig.destroy(Kind::memory));
            ok(rig.destroy(Kind::crowd));
            ok(throng_change_run(other, 0, 100));
            ok(throng_change_next(other, &loop));
            EXPECT_EQ(loop.blocks, 0u);
            ok(throng_change_destroy(other));
        }
    }
}

TEST(CApiChange, NamesABlockThatWasLeftOut) {
    OwnAgents agents(2);
    throng_crowd* const crowd = crowd_of(2);
    ok(throng_crowd_update(crowd, &agents.given, nullptr));
    const auto before = said(crowd);
    agents.move(7);
    throng_change* change = nullptr;
    throng_loop loop = THRONG_LOOP_INIT;
    ok(throng_change_create(&change));
    ok(throng_change_update(change, crowd, &agents.given, 2, &loop));
    ASSERT_GT(loop.blocks, 1u);
    ok(throng_change_run(change, 0, 1));
    is(throng_change_next(change, &loop), THRONG_EXECUTOR_FAILED, "executor", 1);
    EXPECT_EQ(said(crowd), before);
    ok(throng_change_next(change, &loop));
    EXPECT_EQ(loop.blocks, 0u);
    ok(throng_change_destroy(change));
    ok(throng_crowd_destroy(crowd));
}

/// Repeats the change, failing another of its allocations each time.
template <class Fail>
void fail_everywhere(int code, bool on_heap, const Fail& fail) {
    std::size_t failed = 0;
    for (const std::uint32_t dimension : kDimensions) {
        for (const bool edits : {false, true}) {
            for (std::size_t good = 0;; ++good) {
                ASSERT_LT(good, 1000u);
                Rig rig(dimension, on_heap);
                const auto before = rig.answers();
                throng_loop& loop = rig.loop.value;
                const auto change = [&] {
                    throng_status status =
                        edits ? throng_change_edit(rig.change(), rig.crowd(), rig.edits_at,
                                                   rig.edits_count, &loop)
                              : throng_change_update(rig.change(), rig.crowd(), rig.agents.at(), 2,
                                                     &loop);
                    while (status.code == THRONG_OK && loop.blocks != 0) {
                        (void)throng_change_run(rig.change(), 0, loop.blocks);
                        status = throng_change_next(rig.change(), &loop);
                    }
                    return status;
                };
                throng_status status{};
                if (!fail(good, [&] { status = change(); })) {
                    ok(status);
                    break;
                }
                ++failed;
                EXPECT_EQ(status.code, code) << text_of(status);
                EXPECT_EQ(rig.answers(), before);
                ok(change()); // as if nothing had happened
            }
        }
    }
    EXPECT_GT(failed, 20u);
}

TEST(CApiChange, SaysSoWhereMemoryIsRefused) {
    fail_everywhere(THRONG_OUT_OF_MEMORY, true, [](std::size_t good, const auto& call) {
        const FailingAllocations failing(good);
        call();
        return failing.failed();
    });
    fail_everywhere(THRONG_OVER_MEMORY, false, [](std::size_t good, const auto& call) {
        Rig::gifts_left = static_cast<std::ptrdiff_t>(good);
        call();
        const bool failed = Rig::gifts_left < 0;
        Rig::gifts_left = Rig::kEndless;
        return failed;
    });
}

} // namespace

} // namespace throng::test
