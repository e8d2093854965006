#include "elements.hpp"

#include <atomic>
#include <utility>

namespace throng {

namespace {

// Grows geometrically, since ids come one by one.
template <class T>
void grow_vector(Vector<T>& values, std::size_t size) {
    if (size > values.capacity()) {
        values.reserve(std::max(size, values.capacity() + values.capacity() / 4));
    }
}

/// Grows to the size needed and no further: the crowd of the next update() is seldom larger.
template <class T>
void fit_vector(Vector<T>& values, std::size_t size) {
    if (size > values.capacity()) {
        Vector<T> larger;
        larger.reserve(size);
        larger.assign(values.begin(), values.end());
        values.swap(larger);
    }
}

/// Nanoseconds to copy an agent.
constexpr double kNanoseconds = 1.0;

template <class T>
void copy(const ValueView<T>& from, Vector<T>& to, std::size_t begin, std::size_t end) noexcept {
    for (std::size_t i = begin; i < end; ++i) {
        to[i] = from[i];
    }
}

} // namespace

void TightElements::grow(std::size_t ids) {
    if (ids <= bound()) { return; }
    for (std::size_t a = 0; a < 2; ++a) {
        grow_vector(position[a], ids);
        if (kind.own_half_extents) { grow_vector(half_extent[a], ids); }
    }
    if (kind.groups) { grow_vector(groups, ids); }
    for (std::size_t a = 0; a < 2; ++a) {
        position[a].resize(ids, kNoAgent);
        if (kind.own_half_extents) { half_extent[a].resize(ids); }
    }
    if (kind.groups) { groups.resize(ids); }
}

void TightElements::store(Id id, const Agent<2>& agent) noexcept {
    for (std::size_t a = 0; a < 2; ++a) {
        position[a][id] = agent.position[a];
        if (kind.own_half_extents) { half_extent[a][id] = (*agent.half_extent)[a]; }
    }
    if (kind.groups) { groups[id] = *agent.groups; }
}

void TightElements::clear() noexcept {
    for (std::size_t a = 0; a < 2; ++a) {
        position[a].clear();
        half_extent[a].clear();
    }
    groups.clear();
    count = 0;
}

void TightElements::reserve(const CrowdKind<2>& of_kind, std::size_t ids) {
    for (std::size_t a = 0; a < 2; ++a) {
        fit_vector(position[a], ids);
        if (of_kind.own_half_extents) { fit_vector(half_extent[a], ids); }
    }
    if (of_kind.groups) { fit_vector(groups, ids); }
}

AgentBlocks TightElements::blocks_of(std::size_t agents, const Executor& executor) noexcept {
    return {agents, executor, LoopCost::of(agents, kNanoseconds)};
}

void TightElements::assign(const CrowdKind<2>& of_kind, const Agents<2>& agents, Executor& executor,
                           LoopClaims& claims) noexcept {
    kind = of_kind;
    count = agents.positions.count;
    for (std::size_t a = 0; a < 2; ++a) {
        position[a].resize(count);
        half_extent[a].resize(kind.own_half_extents ? count : 0);
    }
    groups.resize(kind.groups ? count : 0);
    const AgentBlocks blocks = blocks_of(count, executor);
    finish_blocks(
        executor, blocks.count(),
        [&](std::size_t block) {
            const std::size_t begin = blocks.begin(block);
            const std::size_t end = blocks.end(block);
            for (std::size_t a = 0; a < 2; ++a) {
                copy(agents.positions.values(a), position[a], begin, end);
                if (kind.own_half_extents) {
                    copy(agents.half_extents.values(a), half_extent[a], begin, end);
                }
            }
            if (kind.groups) { copy(agents.groups, groups, begin, end); }
        },
        claims, LoopCost::of(count, kNanoseconds));
}

Point<2> TightElements::largest(Executor& executor, LoopClaims& claims) const noexcept {
    if (!kind.own_half_extents) { return kind.common_half_extent; }
    std::array<std::atomic<float>, 2> all{};
    const AgentBlocks blocks = blocks_of(bound(), executor);
    finish_blocks(
        executor, blocks.count(),
        [&](std::size_t block) {
            for (std::size_t a = 0; a < 2; ++a) {
                float most = 0.0f;
                for (std::size_t i = blocks.begin(block); i < blocks.end(block); ++i) {
                    most = std::max(most, half_extent[a][i]);
                }
                float known = all[a].load();
                while (known < most && !all[a].compare_exchange_weak(known, most)) {}
            }
        },
        claims, LoopCost::of(bound(), kNanoseconds));
    return {{all[0].load(), all[1].load()}};
}

std::size_t TightElements::memory() const noexcept {
    std::size_t floats = 0;
    for (std::size_t a = 0; a < 2; ++a) {
        floats += position[a].capacity() + half_extent[a].capacity();
    }
    return floats * sizeof(float) + groups.capacity() * sizeof(std::uint32_t);
}

} // namespace throng
