#include "selection.hpp"

#include <string_view>

namespace throng::bench {

namespace {

constexpr std::size_t kMostAgents = 100'000'000;

std::vector<std::string> all_workloads() {
    return {workload_names().begin(), workload_names().end()};
}

template <class Kind>
std::string_view name_of(Kind kind) {
    return to_string(kind);
}

} // namespace

Selection::Selection()
    : agents{1'000'000}, dims{2, 3}, indexes{IndexKind::grid, IndexKind::crowd},
      populations{PopulationKind::uniform}, workloads(all_workloads()) {}

bool Selection::take(Arguments& arguments) {
    const std::string_view option = arguments.option();
    if (option == "--agents") {
        agents = arguments.numbers(1, kMostAgents);
    } else if (option == "--dims") {
        dims = arguments.numbers(2, 3);
    } else if (option == "--indexes") {
        indexes =
            arguments.named<IndexKind>({IndexKind::grid, IndexKind::crowd}, name_of<IndexKind>);
    } else if (option == "--scenes") {
        populations = arguments.named<PopulationKind>(
            {PopulationKind::uniform, PopulationKind::clustered, PopulationKind::mixed},
            name_of<PopulationKind>);
    } else if (option == "--workloads") {
        workloads = arguments.named<std::string>(
            all_workloads(), [](const std::string& name) { return std::string_view(name); });
    } else {
        return false;
    }
    return true;
}

const char* Selection::usage() noexcept {
    return R"(  --agents <list>       sizes of crowds (1000000)
  --dims <list>         2, 3 (both)
  --indexes <list>      grid: RowGrid; crowd: Crowd (both)
  --scenes <list>       uniform; clustered: nine agents in ten in a hundred clusters; mixed, only in
                        a crowd: a giant in a thousand agents, a static for ten (uniform)
  --workloads <list>    of update, edits (of a twentieth), pairs, pairs_count, neighbours, nearest
                        (eight for each agent), balls (around each agent), balls_shuffled (in random
                        order), large_boxes (256 of a hundredth of the world), rays (a tenth as many
                        as agents) and fused (a kernel instead of lists) (all)
)";
}

void Selection::for_each(
    FunctionRef<void(const std::string& workload, const Setting&)> body) const {
    for (const std::size_t count : agents) {
        for (const PopulationKind population : populations) {
            for (const IndexKind index : indexes) {
                for (const std::string& workload : workloads) {
                    for (const std::size_t dim : dims) {
                        const Setting setting{index, population, dim, count};
                        if (setting.makes_sense()) { body(workload, setting); }
                    }
                }
            }
        }
    }
}

} // namespace throng::bench
