// A kernel that meets the neighbours of every agent, without lists.
#include "makers.hpp"
#include "population_workload.hpp"

#include "../../simd/isa/dispatch.hpp"
#include "../fused_kernels.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace throng::bench {

namespace {

/// For a grid the arrays are in storage order, as in a simulation that sorts them; for a crowd by
/// id.
template <class Index, std::size_t Dim>
class Fused final : public PopulationWorkload<Index, Dim> {
public:
    explicit Fused(const Setting& setting)
        : PopulationWorkload<Index, Dim>(setting, this->cell_for_balls(setting)),
          loop_(this->relay()), counts_(this->agents()) {
        for (std::vector<float>& axis : sums_) {
            axis.resize(this->agents());
        }
    }
    [[nodiscard]] bool has_direct_form() const noexcept override { return false; }

    void ask(Executor& executor) override {
        (void)this->relay_to(executor);
        OffsetSums<Dim, kInOrder> kernel{counts_.data(), {}};
        for (std::size_t a = 0; a < Dim; ++a) {
            kernel.sum[a] = sums_[a].data();
        }
        expect_ok(simd::dispatch([&](auto arch) {
            return run_kernel_on(arch, loop_, this->index(), Neighbourhood{this->radius()}, kernel);
        }));
    }
    void forget() override { std::fill(counts_.begin(), counts_.end(), 0u); }
    [[nodiscard]] std::uint64_t fingerprint() const override {
        Fingerprint print;
        print.add(std::span<const std::uint32_t>(counts_));
        for (const std::vector<float>& axis : sums_) {
            for (const float sum : axis) {
                print.add(std::uint64_t{std::bit_cast<std::uint32_t>(sum)});
            }
        }
        return print.value();
    }
    [[nodiscard]] bool is_right() override {
        const test::Truth<Dim> truth = this->population().truth();
        const std::vector<Id> order = this->population().order();
        for (std::size_t k = 0; k < kAnswersChecked; ++k) {
            const std::size_t asker = this->sample(k, order.size());
            const Id id = order[asker];
            const auto wanted =
                truth.ids_in(Ball<Dim>{truth[id].position, this->radius()}, {kAllGroups, id});
            if (counts_[kInOrder ? asker : id] != wanted.size()) { return false; }
        }
        return true;
    }

private:
    static constexpr bool kInOrder = std::same_as<Index, RowGrid<Dim>>;

    /// A count and a sum of offsets for each agent.
    [[nodiscard]] double answer_words() const override {
        return this->agents_in_double() * static_cast<double>(Dim + 1);
    }

    NeighbourLoop<Dim> loop_;
    std::vector<std::uint32_t> counts_;
    std::array<std::vector<float>, Dim> sums_;
};

} // namespace

std::unique_ptr<Workload> make_fused(const Setting& setting) { return make_for<Fused>(setting); }

} // namespace throng::bench
