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
    /// There are `copies` points for each question, the copies of one in a periodic world; an
    /// agent's distance is that to the nearest of them, and the first is in the world. `out` has k
    /// places for each question, with the nearest giants and statics in them.
    RoutedNearest(RankView<Dim>& here, std::span<const Point<Dim>> points, std::size_t copies,
                  const GlobalNearest& nearest, std::span<const GlobalFilter> filters,
                  GlobalNearHits& out) noexcept
        : here_(here), points_(points), copies_(static_cast<std::uint32_t>(copies)),
          nearest_(nearest), filters_(filters), out_(out) {}

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

    /// Copies are numbered on from the first copy of the first question being asked.
    [[nodiscard]] const Point<Dim>& point(std::size_t copy) const noexcept {
        return points_[begin_ * copies_ + copy];
    }

    RankView<Dim>& here_;
    const std::span<const Point<Dim>> points_;
    const std::uint32_t copies_;
    const GlobalNearest nearest_;
    const std::span<const GlobalFilter> filters_;
    GlobalNearHits& out_;

    std::size_t begin_ = 0, end_ = 0; ///< range of the questions being asked
    bool second_ = false;             ///< the other ranks are being asked
    /// The ranks that were asked first, question by question.
    Vector<std::uint32_t> first_;
    Vector<std::size_t> first_begin_;
    Vector<GlobalNear> merged_; ///< scratch
};

/// Merges more of the nearest into the `count` ones in `best`, which has room for as many as are
/// wanted. With `copies`, an agent may be among both, or among `more` twice: the nearest counts.
/// `room` is scratch for as many as both are. Returns the new count.
std::uint32_t merge_global(std::span<GlobalNear> best, std::uint32_t count,
                           std::span<const GlobalNear> more, bool copies,
                           std::span<GlobalNear> room) noexcept;

/// Finds the k owned agents nearest to a point, at most `limit` away, squared. Writes them to
/// `found`, which has room for k, and returns their number.
template <std::size_t Dim>
std::size_t nearest_owned(const RankView<Dim>& here, const Point<Dim>& point,
                          const GlobalNearest& nearest, float limit, const Filter& filter,
                          std::span<GlobalNear> found);

extern template class RoutedNearest<2>;
extern template class RoutedNearest<3>;

} // namespace throng
