// The nearest agents of a crowd over many ranks. Internal to distributed/.
#pragma once

#include "asked_shapes.hpp"
#include "rank_view.hpp"
#include "rounds.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace throng {

/// DistributedGrid::nearest(). First it asks the nearest ranks that have k agents together. The
/// k-th of their answers bounds a ball; then it asks the other ranks that the ball touches.
template <std::size_t Dim>
class RoutedNearest final : public RoutedQuestions {
public:
    /// `out` has k places for each point, with the nearest giants and statics in them.
    RoutedNearest(RankView<Dim>& here, std::span<const Point<Dim>> points,
                  const GlobalNearest& nearest, std::span<const GlobalFilter> filters,
                  GlobalNearHits& out) noexcept
        : here_(here), points_(points), nearest_(nearest), filters_(filters), out_(out) {}

    /// The refusal of these questions, or ok.
    [[nodiscard]] static Status check(std::span<const Point<Dim>> points,
                                      const GlobalNearest& nearest) noexcept;

    [[nodiscard]] bool next(AskLists& lists) override;
    [[nodiscard]] std::size_t bytes_of_question() const noexcept override {
        // Counts the answer, which is longer than the question.
        return sizeof(Point<Dim>) + sizeof(GlobalFilter) + nearest_.k * sizeof(GlobalNear);
    }
    void write(std::span<const std::uint32_t> questions, ParcelWriter& to) override;
    [[nodiscard]] Status answer(ParcelReader from, std::size_t room, ParcelWriter& to) override;
    [[nodiscard]] Status read(std::span<const std::uint32_t> questions, Arrival&& arrival,
                              std::size_t& answered) override;

private:
    /// The squared distance beyond which no agent can be an answer to a question.
    [[nodiscard]] float limit(std::size_t question) const noexcept;
    void ask_nearest(std::uint32_t question, AskLists& lists);
    void ask_others(std::uint32_t question, AskLists& lists);

    RankView<Dim>& here_;
    const std::span<const Point<Dim>> points_;
    const GlobalNearest nearest_;
    const std::span<const GlobalFilter> filters_;
    GlobalNearHits& out_;

    std::size_t begin_ = 0, end_ = 0; ///< range of the questions being asked
    bool second_ = false;             ///< the other ranks are being asked
    /// The ranks that were asked first, question by question.
    Vector<std::uint32_t> first_;
    Vector<std::size_t> first_begin_;
    /// For each rank, the latest question that it was asked first, or is being asked now.
    Vector<std::uint32_t> latest_;
    Vector<GlobalNear> merged_; ///< scratch
};

/// Finds the k owned agents nearest to a point, at most `limit` away, squared. Writes them to
/// `found`, which has room for k, and returns their number.
template <std::size_t Dim>
std::size_t nearest_owned(const RankView<Dim>& here, const Point<Dim>& point,
                          const GlobalNearest& nearest, float limit, const Filter& filter,
                          std::span<GlobalNear> found);

extern template class RoutedNearest<2>;
extern template class RoutedNearest<3>;

} // namespace throng
