// What an answer must look like: brute force says which agents, the shape says in which order.
#pragma once

#include <throng/engine/agents/agents.hpp>
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/core/id.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::oracle {

/// Sorts ids by (row, cell, id), where `position_of[id]` is where each is.
template <std::size_t Dim>
void sort_canonically(const GridShape<Dim>& shape, std::span<const Point<Dim>> position_of,
                      std::vector<Id>& ids);

/// The ids of a whole crowd in canonical order, to sort many answers against.
template <std::size_t Dim>
class CanonicalOrder {
public:
    CanonicalOrder(const GridShape<Dim>& shape, std::span<const Point<Dim>> position_of);

    /// All ids.
    [[nodiscard]] const std::vector<Id>& ids() const noexcept { return ids_; }

    [[nodiscard]] std::vector<Id> sorted(std::vector<Id> ids) const;

private:
    std::vector<Id> ids_;
    std::vector<std::uint32_t> rank_of_;
};

/// FNV-1a (Fowler, Noll, Vo), fed with whole numbers, lowest byte first.
class Hash {
public:
    void add(std::uint64_t value) noexcept {
        for (int byte = 0; byte < 8; ++byte) {
            value_ = (value_ ^ (value >> (8 * byte) & 0xFF)) * 0x0000'0100'0000'01B3u;
        }
    }
    void add(std::span<const Id> ids) noexcept {
        add(ids.size());
        for (const Id id : ids) {
            add(id);
        }
    }
    [[nodiscard]] std::uint64_t value() const noexcept { return value_; }

private:
    std::uint64_t value_ = 0xCBF2'9CE4'8422'2325u;
};

} // namespace throng::oracle
