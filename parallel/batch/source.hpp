// The target of a batch, asked a block of questions at a time. Internal.
//
// A call may throw Refused, which ends the batch. One virtual call a block costs nothing, and the
// code that makes the calls is compiled once for all targets.
#pragma once

#include "../../engine/agents/buffers.hpp"
#include "../../engine/agents/nearest.hpp"
#include "../../engine/answers/spatial_index.hpp"
#include "../../engine/shapes/shapes_view.hpp"
#include "ordered_output.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace throng {

/// Answers questions with shapes or points. All calls return the sum of what they found.
template <std::size_t Dim>
struct ShapeSource {
    virtual ~ShapeSource() = default;

    /// The status of the first question that is refused, or ok.
    [[nodiscard]] virtual Status first_fault(const ShapesView<Dim>& questions) const noexcept = 0;
    /// Whether a grid answers these questions a block at a time: then a PathTree may answer in its
    /// place.
    [[nodiscard]] virtual bool asks_grid(const ShapesView<Dim>& questions) const noexcept = 0;

    virtual std::uint64_t query(const ShapesView<Dim>& questions, OutputPart& part,
                                const HitsBuffer& out, const Filters& filters) const = 0;
    virtual std::uint64_t count(const ShapesView<Dim>& questions, OutputPart& part,
                                std::span<std::uint32_t> counts, const Filters& filters) const = 0;
    virtual std::uint64_t any(const ShapesView<Dim>& questions, OutputPart& part,
                              std::span<std::uint32_t> counts, const Filters& filters) const = 0;
    /// For paths only.
    virtual std::uint64_t first(const ShapesView<Dim>& paths, std::span<PathHit> path_hits,
                                const Filters& filters) const = 0;
    virtual std::uint64_t nearest(std::span<const Point<Dim>> points, const Nearest& nearest,
                                  OutputPart& part, const NearBuffer& out,
                                  const Filter& filter) const = 0;
};

/// All agents of some sets, which ask about agents of some sets, a block of askers at a time.
template <std::size_t Dim>
struct Askers {
    Status refused;          ///< why the call is refused, or ok
    std::size_t answers = 0; ///< how many answers there are, if `refused` is ok

    virtual ~Askers() = default;

    /// Called before the blocks of a call for neighbours.
    virtual void prepare(const Neighbourhood&) {}

    [[nodiscard]] virtual std::size_t agents() const noexcept = 0;
    [[nodiscard]] virtual std::size_t blocks() const noexcept = 0;
    [[nodiscard]] virtual std::size_t agents_in(std::size_t block) const noexcept = 0;
    /// Writes the indices of a block's answers to part.askers, for Order::ids.
    virtual void note_askers(std::size_t block, OutputPart& part) const = 0;

    virtual std::uint64_t neighbours(const Neighbourhood& neighbourhood, std::size_t block,
                                     OutputPart& part, const HitsBuffer& out) const = 0;
    virtual std::uint64_t count_neighbours(const Neighbourhood& neighbourhood, std::size_t block,
                                           OutputPart& part,
                                           std::span<std::uint32_t> counts) const = 0;
    virtual std::uint64_t nearest_neighbours(const NearestNeighbours& nearest, std::size_t block,
                                             OutputPart& part, const NearBuffer& out) const = 0;
};

/// All pairs of some sets, in blocks.
template <std::size_t Dim>
struct PairSource {
    virtual ~PairSource() = default;

    [[nodiscard]] virtual std::size_t blocks() const noexcept = 0;
    /// Rough cost of all blocks.
    [[nodiscard]] virtual LoopCost cost() const noexcept { return {}; }
    /// Writes pairs while there is room, and returns how many there are. Uses neither part.firsts
    /// nor part.ids. If `out` is too short but not empty, the number returned may be too high.
    virtual std::uint64_t pairs(std::size_t block, OutputPart& part,
                                const PairsBuffer& out) const = 0;
};

/// All pairs of some sets whose boxes or discs overlap, in blocks.
template <std::size_t Dim>
struct OverlapSource : PairSource<Dim> {
    /// Hands the pairs to a visitor, in runs that are made in the part. Returns how many it handed.
    virtual std::uint64_t visit(std::size_t block, OutputPart& part,
                                IndexPairVisitor visitor) const = 0;
    virtual std::uint64_t count(std::size_t block, OutputPart& part) const = 0;
};

} // namespace throng
