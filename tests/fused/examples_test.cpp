// The examples have the results of plain loops, to the bit, in every scene.
#include "examples.hpp"
#include "reference.hpp"

#include "../support/answers.hpp"
#include "../support/random.hpp"
#include "../support/scenes/scene_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

namespace throng::test {
namespace {

/// Floats as bits: minus zero differs from zero, and NaNs differ by their bits.
std::vector<std::uint32_t> bits_of(const std::vector<float>& values) {
    std::vector<std::uint32_t> bits;
    for (const float value : values) {
        bits.push_back(std::bit_cast<std::uint32_t>(value));
    }
    return bits;
}

std::vector<float> numbers(std::size_t count, std::uint64_t seed) {
    scenes::Random random(seed);
    std::vector<float> values(count);
    std::generate(values.begin(), values.end(), [&] { return random.between(-1.0f, 1.0f); });
    return values;
}

template <std::size_t Dim>
class Trial {
public:
    Trial(scenes::Scene<Dim>& scene, const GridShape<Dim>& shape)
        : count_(scene.size()), reference_(scene, shape) {
        EXPECT_EQ(grid_.use(shape), Status{});
        EXPECT_EQ(grid_.update(scene.agents()), Status{});
    }

    void run(const Neighbourhood& asked) {
        if constexpr (Dim == kEvenDim) {
            density(asked);
            fluid(asked);
        } else {
            flock(asked);
            enemies(asked);
            infection(asked);
        }
        transcript(asked);
    }

    void transcript(const Neighbourhood& asked) {
        if constexpr (!kOtherDim) { expect_transcript(asked); }
    }

private:
    using Neighbour = typename Reference<Dim>::Neighbour;

    void expect_transcript(const Neighbourhood& asked) {
        const auto number = numbers(count_, 1);
        std::vector<std::uint32_t> place(count_);
        for (std::size_t i = 0; i < count_; ++i) {
            place[i] = static_cast<std::uint32_t>(7 * i + 3);
        }
        std::vector<float> sum(count_), wanted_sum(count_);
        std::vector<std::uint32_t> met(count_), wanted_met(count_), mix(count_), wanted_mix(count_);
        reference_.for_each(
            asked, [](Id) {},
            [&](const Neighbour& m) {
                const std::uint32_t at = reference_.index_of(m.id);
                ++wanted_met[at];
                wanted_mix[m.id] = (wanted_mix[m.id] + m.other + 1) * 2654435761u +
                                   place[reference_.index_of(m.other)];
                float all = m.distance2 + number[m.id] + number[m.other];
                for (const float offset : m.offset) {
                    all = all + offset;
                }
                wanted_sum[m.id] = wanted_sum[m.id] + all;
            },
            [&](Id id) { wanted_mix[id] += place[reference_.index_of(id)]; });
        expect_ok(asked,
                  Transcript<Dim>{number.data(), place.data(), sum.data(), met.data(), mix.data()});
        EXPECT_EQ(met, wanted_met);
        EXPECT_EQ(mix, wanted_mix);
        EXPECT_EQ(bits_of(sum), bits_of(wanted_sum));
    }

    template <class Kernel>
    void expect_ok(const Neighbourhood& asked, const Kernel& kernel) {
        EXPECT_EQ(run_kernel(loop_, grid_, asked, kernel), Status{});
    }

    void density(const Neighbourhood& asked) {
        std::vector<std::uint32_t> count(count_, 77), wanted(count_);
        reference_.for_each(
            asked, [](Id) {}, [&](const Neighbour& m) { ++wanted[m.id]; }, [](Id) {});
        expect_ok(asked, Density{count.data()});
        EXPECT_EQ(count, wanted);
    }

    void flock(const Neighbourhood& asked) {
        Flock<Dim> flock{{}, {}, 0.5f, 0.25f, 0.125f};
        std::array<std::vector<float>, Dim> velocity, steering, wanted;
        for (std::size_t a = 0; a < Dim; ++a) {
            velocity[a] = numbers(count_, 2 + a);
            steering[a].assign(count_, 77.0f);
            wanted[a].resize(count_);
            flock.velocity[a] = velocity[a].data();
            flock.steering[a] = steering[a].data();
        }
        float near = 0.0f, to[Dim], along[Dim], from[Dim];
        reference_.for_each(
            asked,
            [&](Id) {
                near = 0.0f;
                for (std::size_t a = 0; a < Dim; ++a) {
                    to[a] = along[a] = from[a] = 0.0f;
                }
            },
            [&](const Neighbour& m) {
                near += 1.0f;
                const float push = 1.0f / std::max(m.distance2, 1e-6f);
                for (std::size_t a = 0; a < Dim; ++a) {
                    to[a] += m.offset[a];
                    along[a] += velocity[a][reference_.index_of(m.other)];
                    from[a] += m.offset[a] * push;
                }
            },
            [&](Id id) {
                const std::uint32_t index = reference_.index_of(id);
                const float share = 1.0f / std::max(near, 1.0f);
                for (std::size_t a = 0; a < Dim; ++a) {
                    const float steer = to[a] * share * flock.cohesion +
                                        (along[a] * share - velocity[a][index]) * flock.alignment -
                                        from[a] * flock.separation;
                    wanted[a][index] = near > 0.0f ? steer : 0.0f;
                }
            });
        expect_ok(asked, flock);
        for (std::size_t a = 0; a < Dim; ++a) {
            EXPECT_EQ(bits_of(steering[a]), bits_of(wanted[a]));
        }
    }

    void fluid(Neighbourhood asked) {
        asked.with_self = true;
        const auto mass = numbers(count_, 5);
        std::vector<float> density(count_, 77.0f), wanted(count_);
        const FluidDensity fluid{mass.data(), density.data(), asked.radius, 1.5f};
        reference_.for_each(
            asked, [](Id) {},
            [&](const Neighbour& m) {
                const float left = asked.radius * asked.radius - m.distance2;
                wanted[m.id] += mass[m.other] * (left * left * left);
            },
            [&](Id id) { wanted[id] *= fluid.factor; });
        expect_ok(asked, fluid);
        EXPECT_EQ(bits_of(density), bits_of(wanted));
    }

    void enemies(Neighbourhood asked) {
        if (asked.groups == kAllGroups) { asked.groups = 0x3u; }
        std::vector<Id> enemy(count_, 77), wanted(count_, kNoId);
        std::vector<float> least(count_, 3e38f);
        reference_.for_each(
            asked, [](Id) {},
            [&](const Neighbour& m) {
                if (m.distance2 < least[m.id] ||
                    (m.distance2 == least[m.id] && m.other < wanted[m.id])) {
                    least[m.id] = m.distance2;
                    wanted[m.id] = m.other;
                }
            },
            [](Id) {});
        expect_ok(asked, NearestEnemy{enemy.data()});
        EXPECT_EQ(enemy, wanted);
    }

    void infection(const Neighbourhood& asked) {
        std::vector<std::uint32_t> ill(count_);
        for (std::size_t i = 0; i < count_; ++i) {
            ill[i] = i % 3 == 0 ? 1 : 0;
        }
        std::vector<float> exposure = numbers(count_, 6), wanted = exposure;
        reference_.for_each(
            asked, [](Id) {},
            [&](const Neighbour& m) {
                if (ill[m.other] != 0) { wanted[m.id] += 0.1f; }
            },
            [](Id) {});
        expect_ok(asked, Infection{ill.data(), exposure.data(), 0.1f});
        EXPECT_EQ(bits_of(exposure), bits_of(wanted));
    }

    std::size_t count_;
    Reference<Dim> reference_;
    RowGrid<Dim> grid_;
    NeighbourLoop<Dim> loop_;
};

class FusedExamples : public testing::TestWithParam<SceneCase> {
protected:
    template <std::size_t Dim>
    void run() {
        const auto& [dim, name, groups] = GetParam();
        auto scene = scenes::make<Dim>(name, 250, groups);
        if (scene.size() == 0) { return; }
        const bool masks = groups == scenes::Groups::masks;
        const auto shapes = scenes::shapes_for(scene);
        for (std::size_t s = 0; s < shapes.size(); ++s) {
            SCOPED_TRACE("shape " + std::to_string(s));
            Trial<Dim> trial(scene, shapes[s]);
            // A cell's width, and 5: some agents are exactly this far apart, with offsets of 3, 4
            // and 5.
            const float radii[] = {scene.cell[0], 5.0f, 0.0f, 2.5f * scene.cell[0], 1e3f};
            const float radius = radii[s % 5];
            SCOPED_TRACE("radius " + std::to_string(radius));
            const Neighbourhood asked{radius, s % 2 == 1, masks && s % 3 != 2 ? 0x5u : kAllGroups};
            if (s == 0) {
                trial.run(asked);
            } else {
                trial.transcript(asked);
            }
            trial.transcript({radius, s % 3 == 1, asked.groups, true});
            trial.transcript({s % 5 == 3 ? 0.0f : 0.5f * radius, s % 2 == 1, asked.groups,
                              s % 4 == 1, s % 2 == 0 ? Body::box : Body::disc});
        }
        Trial<Dim> trial(scene, shapes[0]);
        trial.transcript({kLargest});
        trial.transcript({scene.cell[0], true, 0});
    }
};

TEST_P(FusedExamples, ComeToWhatPlainLoopsComeTo) {
    if (std::get<0>(GetParam()) == 2) {
        run<2>();
    } else {
        run<3>();
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, FusedExamples, all_scene_cases(), scene_case_name);

} // namespace
} // namespace throng::test
