// The smallest host: one crowd, one question.
#include "engine/row_grid.hpp"

#include <throng/engine/core/assert.hpp>
#include <throng/engine/grid/row_grid.hpp>
#include <throng/parallel/executors/default_executor.hpp>
#include <throng/simd/isa/isa.hpp>

#include <array>
#include <cstdio>
#include <limits>

bool g_asserted = false;

bool note(const char*, const char*, int) {
    g_asserted = true;
    return false;
}

int main() {
    // A host sets its own assert handler, which a shared library must export.
    throng::set_assert_handler(note);
    THRONG_ASSERT(g_asserted);
    if (!g_asserted || throng::set_assert_handler(nullptr) != note) { return 1; }

    const std::array<float, 6> xy = {0.0f, 0.0f, 3.0f, 4.0f, 9.0f, 9.0f};
    throng::Agents<2> crowd;
    crowd.positions = throng::PointView<2>::interleaved(xy.data(), 3);
    throng::RowGrid<2> grid;
    throng::Executor& executor = throng::default_executor();
    constexpr auto kExpected =
        CONSUMER_TBB != 0 ? throng::ExecutorKind::tbb : throng::ExecutorKind::pool;
    if (executor.kind() != kExpected) { return 1; }
    if (!grid.update(crowd, executor).ok()) { return 1; }

    throng::Ball<2> ball;
    ball.radius = 5.0f;
    std::array<throng::Id, 3> out{};
    const throng::Found near = grid.query(ball, out);

    // The library recognises NaN, whatever flags the host has.
    ball.radius = std::numeric_limits<float>::quiet_NaN();
    if (grid.query(ball, out).status.ok()) { return 1; }

    std::printf("%zu near, on %s, beside the host's own %d\n", near.count,
                throng::to_string(throng::active_isa()), kHostRowGrid);
    return near.count == 2 ? 0 : 1;
}
