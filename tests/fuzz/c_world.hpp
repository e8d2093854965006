// The state of a host of the C API: live and dead handles, structures of any size, and a plain list
// of the agents in each crowd.
#pragma once

#include "input.hpp"

#include <throng/engine/agents/box.hpp>
#include <throng/engine/core/id.hpp>
#include <throng/engine/shapes/ball.hpp>
#include <throng/throng.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <vector>

namespace throng::fuzz {

/// A structure in a buffer as long as the largest size that the library accepts.
template <class T>
class Struct {
public:
    explicit Struct(const T& defaults) noexcept : value(new (bytes_.data()) T(defaults)) {}
    Struct(const Struct&) = delete;
    Struct& operator=(const Struct&) = delete;
    ~Struct() = default;

    /// Now and then null, with another size, or with a nonzero byte behind the structure.
    [[nodiscard]] T* at(Input& input) {
        const std::uint32_t pick = input.below(32);
        if (pick == 0) { return nullptr; }
        if (pick == 1) { value->struct_size = input.below(1100); }
        if (pick == 2) { value->struct_size = input.raw<std::size_t>(); }
        if (pick == 3) { bytes_[input.below(1024 - sizeof(T)) + sizeof(T)] = 1; }
        return value;
    }

private:
    alignas(T) std::array<unsigned char, 1024> bytes_{};

public:
    T* const value;
};

/// The handles of one kind; destroyed handles are kept, so that calls can try them again.
template <class Handle>
struct Handles {
    using Destroy = throng_status (*)(Handle*);
    static constexpr std::size_t kMost = 3;

    explicit Handles(Destroy destroy_one) noexcept : destroy(destroy_one) {}
    Handles(const Handles&) = delete;
    Handles& operator=(const Handles&) = delete;
    ~Handles() {
        for (std::size_t i = 0; i < kMost; ++i) {
            if (live[i]) { (void)destroy(at[i]); }
        }
    }

    const Destroy destroy;
    std::array<Handle*, kMost> at{};
    std::array<bool, kMost> live{};
};

/// An agent of the model, in space; the third axis is zero in the plane.
struct ModelAgent {
    Point<3> position, half;
    std::uint32_t groups = kAllGroups;
};

/// The agents of a crowd.
struct Model {
    std::uint32_t dimension = 2;
    bool known = true; ///< otherwise the crowd is asked but not compared
    Point<3> common{};
    std::vector<std::optional<ModelAgent>> agents;  ///< by id
    std::vector<std::optional<ModelAgent>> statics; ///< by id, from the first static's on

    [[nodiscard]] static std::uint64_t
    count_of(const std::vector<std::optional<ModelAgent>>& all) noexcept {
        std::uint64_t count = 0;
        for (const auto& agent : all) {
            count += agent ? 1 : 0;
        }
        return count;
    }

    /// Calls visit(id, element) for the elements that the sets and the filter admit.
    template <class Visit>
    void for_each(std::uint32_t sets, const Filter& filter, const Visit& visit) const {
        const auto meet = [&](Id id, const ModelAgent& who) {
            const bool is_in = filter.groups == kAllGroups || (who.groups & filter.groups) != 0;
            if (is_in && id != filter.without) { visit(id, who); }
        };
        for (Id id = 0; id < agents.size() && (sets & THRONG_AGENTS) != 0; ++id) {
            if (agents[id]) { meet(id, *agents[id]); }
        }
        for (Id i = 0; i < statics.size() && (sets & THRONG_STATICS) != 0; ++i) {
            if (statics[i]) { meet(THRONG_FIRST_STATIC + i, *statics[i]); }
        }
    }
    [[nodiscard]] std::uint64_t count(const Box<3>& box, std::uint32_t sets,
                                      const Filter& filter) const {
        std::uint64_t found = 0;
        for_each(sets, filter, [&](Id, const ModelAgent& who) {
            found += overlaps(box, who.position, who.half) ? 1 : 0;
        });
        return found;
    }
    [[nodiscard]] std::uint64_t count(const Ball<3>& ball, std::uint32_t sets,
                                      const Filter& filter) const {
        std::uint64_t found = 0;
        for_each(sets, filter,
                 [&](Id, const ModelAgent& who) { found += contains(ball, who.position) ? 1 : 0; });
        return found;
    }
    /// The number of neighbours of all agents.
    [[nodiscard]] std::uint64_t neighbours(float radius, bool with_self, std::uint32_t sets,
                                           std::uint32_t groups) const {
        std::uint64_t found = 0;
        for_each(THRONG_AGENTS, {}, [&](Id id, const ModelAgent& who) {
            found += count(Ball<3>{who.position, radius}, sets, {groups, with_self ? kNoId : id});
        });
        return found;
    }
    /// The number of pairs of agents.
    [[nodiscard]] std::uint64_t pairs(std::uint32_t groups) const {
        std::uint64_t found = 0;
        for_each(THRONG_AGENTS, {groups}, [&](Id id, const ModelAgent& who) {
            const Box<3> box = Box<3>::around(who.position, who.half);
            for_each(THRONG_AGENTS, {groups}, [&](Id other, const ModelAgent& with) {
                found += id < other && overlaps(box, with.position, with.half) ? 1 : 0;
            });
        });
        return found;
    }
};

} // namespace throng::fuzz
