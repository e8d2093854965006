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

/// DistributedGrid::nearest(). First the nearest ranks are asked that have k agents together; the
/// k-th of their answers bounds a ball, and the other ranks that it touches are asked, too.
template <std::size_t Dim>
class RoutedNearest final : public Asking {
public:
    /// `out` has k places for each point, and in them what giants and statics come to.
    RoutedNearest(RankView<Dim>& here, std::span<const Point<Dim>> points,
                  const GlobalNearest& nearest, std::span<const GlobalFilter> filters,
                  GlobalNearHits& out) noexcept
        : here_(here), points_(points), nearest_(nearest), filters_(filters), out_(out) {}

    /// Ok, or what is wrong with such questions.
    [[nodiscard]] static Status check(std::span<const Point<Dim>> points,
                                      const GlobalNearest& nearest) noexcept;

    [[nodiscard]] bool next(AskLists& lists) override;
    [[nodiscard]] std::size_t bytes_of_question() const noexcept override {
        // Or its answer, which is longer.
        return sizeof(Point<Dim>) + sizeof(GlobalFilter) + nearest_.k * sizeof(GlobalNear);
    }
    void write(std::span<const std::uint32_t> questions, ParcelWriter& to) override;
    [[nodiscard]] Status answer(ParcelReader from, std::size_t room, ParcelWriter& to) override;
    [[nodiscard]] Status read(std::span<const std::uint32_t> questions, Arrival&& arrival,
                              std::size_t& answered) override;

private:
    /// No agent farther than this, squared, will be among the answers to a question.
    [[nodiscard]] float limit(std::size_t question) const noexcept;
    void ask_nearest(std::uint32_t question, AskLists& lists);
    void ask_others(std::uint32_t question, AskLists& lists);
    void merge(std::size_t question, std::span<const GlobalNear> more);

    RankView<Dim>& here_;
    const std::span<const Point<Dim>> points_;
    const GlobalNearest nearest_;
    const std::span<const GlobalFilter> filters_;
    GlobalNearHits& out_;

    std::size_t begin_ = 0, end_ = 0; ///< questions that are being asked
    bool second_ = false;             ///< the others are being asked
    /// The ranks that were asked first, question by question.
    Vector<std::uint32_t> first_;
    Vector<std::size_t> first_begin_;
    Vector<GlobalNear> merged_;
};

/// The k agents of this rank nearest to a point, among its owned, if they are no farther than
/// `limit`, squared. They go to `found`, which has room for k. Returns how many they are.
template <std::size_t Dim>
std::size_t nearest_owned(const RankView<Dim>& here, const Point<Dim>& point,
                          const GlobalNearest& nearest, float limit, const Filter& filter,
                          std::span<GlobalNear> found);

extern template class RoutedNearest<2>;
extern template class RoutedNearest<3>;

} // namespace throng
