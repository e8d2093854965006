// The questions about one crowd to all contenders, and the right answers.
#pragma once

#include "answers.hpp"
#include "walkers.hpp"

#include <throng/engine/agents/box.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/shapes/ball.hpp>
#include <throng/engine/shapes/segment.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::shootout {

/// A sum over answers: over the ids of each question, in any order. For the nearest it is a list of
/// distances, since of equally near agents any is right.
struct Truth {
    std::uint64_t hits = 0, sum = 0;
    std::vector<float> distances;
};

template <class Question>
struct Asked {
    std::vector<Question> questions;
    Truth truth;
};

/// Boxes of one size.
template <std::size_t Dim>
struct SweptBoxes {
    float half;
    Asked<Box<Dim>> asked;
};

template <std::size_t Dim>
class Questions {
public:
    /// At most `most` questions of each kind; boxes of growing size only if `with_sweep`. `crowd`
    /// must have the walkers' agents and gives the right answers; throws std::runtime_error if a
    /// test of every agent disagrees.
    Questions(const Walkers<Dim>& walkers, const Crowd<Dim>& crowd, std::size_t most,
              bool with_sweep);

    /// Around agents that are neighbours in the array, and around agents in random order.
    Asked<Box<Dim>> boxes, shuffled;
    Asked<Ball<Dim>> balls;
    Asked<Point<Dim>> points;
    Asked<Box<Dim>> large;
    Asked<Segment<Dim>> segments;
    std::vector<SweptBoxes<Dim>> sweep;
    std::uint64_t pairs = 0, pair_sum = 0;

    /// Whether the kept answers agree with the right ones.
    template <class Question>
    [[nodiscard]] bool right(const Asked<Question>& asked, const Answers& answers) const;

private:
    template <class Question>
    void find_truth(Asked<Question>& asked, const Crowd<Dim>& crowd);
    template <class Question>
    void look_at_all(const Asked<Question>& asked, const Hits& hits) const;
    [[nodiscard]] std::vector<float> distances(std::span<const Point<Dim>> from,
                                               const Hits& hits) const;

    const Walkers<Dim>& walkers_;
};

} // namespace throng::shootout
