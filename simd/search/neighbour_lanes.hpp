// What a kernel sees of agents and of their neighbours: docs/fused.md. For *.kernel.cpp files and
// fused/ only.
#pragma once

#include "../isa/lanes.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// A vector of values of type T: Floats or Words.
template <class Arch, class T>
struct LanesOf;
template <class Arch>
struct LanesOf<Arch, float> {
    using Type = Floats<Arch>;
};
template <class Arch>
struct LanesOf<Arch, std::uint32_t> {
    using Type = Words<Arch>;
};

/// Agents next to each other in storage order, a lane for each.
template <class V>
struct PacketAgents {
    using Arch = typename V::Arch;
    static constexpr auto kLane = static_cast<std::uint32_t>(kLanes<Arch>);
    template <class T>
    using Of = typename LanesOf<Arch, T>::Type;

    /// The agents' positions; lanes without an agent are infinitely far away from all agents.
    Floats<Arch> position[V::kDim];
    std::uint32_t count;      ///< the first `count` lanes have an agent
    const std::uint32_t* ids; ///< the ids of these agents, or their names

    std::uint64_t first; // the number of agents before these in storage order

    /// array[id], and array[index in storage order], for each agent; lanes without an agent get the
    /// first agent's value.
    template <class T>
    [[gnu::always_inline]] Of<T> by_id(const T* array) const noexcept {
        T lane[kLane];
        for (std::uint32_t i = 0; i < kLane; ++i) {
            lane[i] = array[ids[i < count ? i : 0]];
        }
        return Of<T>::load_unaligned(lane);
    }
    template <class T>
    [[gnu::always_inline]] Of<T> in_order(const T* array) const noexcept {
        static_assert(V::kInOrder, "a kernel that goes by storage order says so: kInStorageOrder");
        const T* const mine = array + first;
        if (count == kLane) [[likely]] { return Of<T>::load_unaligned(mine); }
        T lane[kLane];
        for (std::uint32_t i = 0; i < kLane; ++i) {
            lane[i] = mine[i < count ? i : 0];
        }
        return Of<T>::load_unaligned(lane);
    }

    /// Writes a value for each agent to array[id], or to array[index in storage order].
    template <class T>
    [[gnu::always_inline]] void put_by_id(T* array, const Of<T>& values) const noexcept {
        T lane[kLane];
        values.store_unaligned(lane);
        for (std::uint32_t i = 0; i < count; ++i) {
            array[ids[i]] = lane[i];
        }
    }
    template <class T>
    [[gnu::always_inline]] void put_in_order(T* array, const Of<T>& values) const noexcept {
        static_assert(V::kInOrder, "a kernel that goes by storage order says so: kInStorageOrder");
        put_adjacent(array + first, values);
    }

    // Writes a value for each agent to to[0 ... count - 1].
    template <class T>
    [[gnu::always_inline]] void put_adjacent(T* to, const Of<T>& values) const noexcept {
        if (count == kLane) [[likely]] {
            values.store_unaligned(to);
            return;
        }
        T lane[kLane];
        values.store_unaligned(lane);
        for (std::uint32_t i = 0; i < count; ++i) {
            to[i] = lane[i];
        }
    }
};

/// One agent, as each of a vector of agents sees it.
template <class V>
struct SeenAgent {
    using Arch = typename V::Arch;
    template <class T>
    using Of = typename LanesOf<Arch, T>::Type;

    FloatMask<Arch> near; ///< lanes that have this agent as a neighbour; other lanes do not count
    Floats<Arch> offset[V::kDim]; ///< from each lane's agent to this agent
    /// The sum of the squares of `offset`, in ascending order of axes; if the question is about
    /// bodies, the square of the distance between the two bodies.
    Floats<Arch> distance2;

    const std::uint32_t* id_at;
    std::uint32_t slot, row_start; // their sum is the agent's index in storage order

    [[nodiscard]] [[gnu::always_inline]] std::uint32_t id() const noexcept { return *id_at; }
    [[nodiscard]] [[gnu::always_inline]] std::uint32_t index_in_order() const noexcept {
        static_assert(V::kInOrder, "a kernel that goes by storage order says so: kInStorageOrder");
        return row_start + slot;
    }

    /// array[id], and array[index in storage order], of this agent, in every lane.
    template <class T>
    [[gnu::always_inline]] Of<T> by_id(const T* array) const noexcept {
        return Of<T>(array[id()]);
    }
    template <class T>
    [[gnu::always_inline]] Of<T> in_order(const T* array) const noexcept {
        return Of<T>(array[index_in_order()]);
    }
};

/// The vectors of an instruction set, and what can be done with them besides + - * < <= and the
/// like; abs(), min() and max() are found by the types of their arguments.
template <class ArchType, std::size_t kDimension, bool kStorageOrder>
struct NeighbourVectors {
    using Arch = ArchType;
    static constexpr std::size_t kDim = kDimension;
    static constexpr bool kInOrder = kStorageOrder;

    using Floats = simd::Floats<Arch>;
    using Words = simd::Words<Arch>;
    using Mask = FloatMask<Arch>;
    using Agents = PacketAgents<NeighbourVectors>;
    using Other = SeenAgent<NeighbourVectors>;

    /// Whether any lane is set. A branch on this changes no result if the code that it skips sets
    /// values by select() and add_if() with the same mask only.
    [[gnu::always_inline]] static bool any(const Mask& mask) noexcept {
        return lane_bits<Arch>(mask) != 0;
    }
    /// mask ? a : b
    [[gnu::always_inline]] static Floats select(const Mask& mask, const Floats& a,
                                                const Floats& b) noexcept {
        return simd::select<Arch>(mask, a, b);
    }
    [[gnu::always_inline]] static Words select(const Mask& mask, const Words& a,
                                               const Words& b) noexcept {
        return simd::select<Arch>(mask, a, b);
    }
    /// mask ? sum + value : sum, for sums that did not begin as minus zero: faster than select().
    [[gnu::always_inline]] static Floats add_if(const Mask& mask, const Floats& sum,
                                                const Floats& value) noexcept {
        return simd::add_if<Arch>(mask, sum, value);
    }
    [[gnu::always_inline]] static Words add_if(const Mask& mask, const Words& sum,
                                               const Words& value) noexcept {
        return simd::add_if<Arch>(mask, sum, value);
    }
    /// a / b and the square root, rounded alike everywhere: / and sqrt() themselves are only
    /// estimates on NEON.
    [[gnu::always_inline]] static Floats quotient(const Floats& a, const Floats& b) noexcept {
        return simd::quotient<Arch>(a, b);
    }
    [[gnu::always_inline]] static Floats root(const Floats& a) noexcept {
        return simd::root<Arch>(a);
    }
    /// a < b ? a : b and a > b ? a : b: xsimd's min() and max() differ between versions if one is
    /// NaN or both are zeros.
    [[gnu::always_inline]] static Floats smaller(const Floats& a, const Floats& b) noexcept {
        return simd::smaller<Arch>(a, b);
    }
    [[gnu::always_inline]] static Floats larger(const Floats& a, const Floats& b) noexcept {
        return simd::larger<Arch>(a, b);
    }
    /// Comparisons of whole numbers as masks of floats, the kind that select() takes.
    [[gnu::always_inline]] static Mask less(const Words& a, const Words& b) noexcept {
        return float_mask<Arch>(a < b);
    }
    [[gnu::always_inline]] static Mask equal(const Words& a, const Words& b) noexcept {
        return float_mask<Arch>(a == b);
    }
    [[gnu::always_inline]] static Mask differ(const Words& a, const Words& b) noexcept {
        return float_mask<Arch>(a != b);
    }
};

} // namespace throng::simd
