// Proves that the fuzzer can find a mistake: compares brute force with a grid that forgets agents
// when they move onto a corner of its cells.
#include "../family/every_index.hpp"
#include "fuzz.hpp"

#include <throng/engine/grid/row_grid.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace throng::fuzz {
namespace {

constexpr Id kIds = 16;
constexpr float kCell = 4.0f;

/// Loses an agent that moves onto a corner of a cell inside the world, if it has at least three
/// agents.
class Forgetful {
public:
    Status configure() {
        return grid_.configure({Point<2>::all(0.0f), Point<2>::all(16.0f)}, Point<2>::all(kCell));
    }
    Status insert(Id id, const Agent<2>& agent) { return grid_.insert(id, agent); }
    Status move(Id id, const Point<2>& to) {
        const Status status = grid_.move(id, to);
        if (!status.ok() || grid_.size() < 3) { return status; }
        return is_edge(to[0]) && is_edge(to[1]) ? grid_.erase(id) : status;
    }
    [[nodiscard]] const RowGrid<2>& grid() const noexcept { return grid_; }

private:
    static bool is_edge(float x) { return x > 0.0f && x < 16.0f && std::fmod(x, kCell) == 0.0f; }

    RowGrid<2> grid_;
};

} // namespace

void run(Input& input) {
    Forgetful index;
    test::Truth<2> truth;
    ASSERT_EQ(index.configure(), Status{});
    ASSERT_EQ(truth.configure({}), Status{});
    for (int s = 0; s < 100 && !input.empty(); ++s) {
        const Id id = input.below(kIds);
        if (input.flip()) {
            const Agent<2> agent = input.agent<2>({});
            ASSERT_EQ(index.insert(id, agent), truth.insert(id, agent));
        } else {
            const Point<2> to = input.point<2>();
            ASSERT_EQ(index.move(id, to), truth.move(id, to));
        }
    }
    ASSERT_EQ(test::in_order(test::all_ids<2>(index.grid())), test::all_ids<2>(truth));
}

} // namespace throng::fuzz
