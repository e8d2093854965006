// Agents that shapes find in a crowd over many ranks, listed or counted. Internal to distributed/.
#pragma once

#include "asked_shapes.hpp"
#include "rank_view.hpp"
#include "rounds.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng {

/// Questions that are shapes: each goes to all ranks that may have agents in it.
template <std::size_t Dim>
class RoutedShapes : public RoutedQuestions {
public:
    RoutedShapes(RankView<Dim>& here, const ShapesView<Dim>& shapes,
                 std::span<const GlobalFilter> filters) noexcept
        : here_(here), shapes_(shapes), filters_(filters) {}

    [[nodiscard]] bool next(AskLists& lists) override;
    [[nodiscard]] std::size_t bytes_of_question() const noexcept override {
        return AskedShapes<Dim>::bytes(shapes_);
    }
    void write(std::span<const std::uint32_t> questions, ParcelWriter& to) override {
        AskedShapes<Dim>::write(shapes_, filters_, begin_, questions, to);
    }

protected:
    /// Called when all questions so far have been answered.
    virtual void finish() {}
    /// Adds question begin_ + `question` to the lists of the ranks to ask.
    virtual void ask(std::uint32_t question, AskLists& lists);

    [[nodiscard]] ShapesView<Dim> shape(std::uint32_t question) const noexcept {
        return shapes_.part(begin_ + question, 1);
    }

    RankView<Dim>& here_;
    const ShapesView<Dim> shapes_;
    const std::span<const GlobalFilter> filters_;
    std::size_t begin_ = 0, end_ = 0; ///< range of the questions being asked
};

/// DistributedGrid::query(). Answers are runs: a number of agents of one row. Bricks are disjoint,
/// so in each row the runs of ranks follow each other in the order of the bricks, and merging runs
/// is enough.
template <std::size_t Dim>
class RoutedLists final : public RoutedShapes<Dim> {
public:
    /// `out` has one offset, zero, and no ids. `large`, unless empty, has the answers of giants and
    /// statics, which follow the small agents of each answer.
    RoutedLists(RankView<Dim>& here, const ShapesView<Dim>& shapes,
                std::span<const GlobalFilter> filters, const GlobalHits& large,
                GlobalHits& out) noexcept
        : RoutedShapes<Dim>(here, shapes, filters), large_(large), out_(out) {}

    void write(std::span<const std::uint32_t> questions, ParcelWriter& to) override;
    [[nodiscard]] Status answer(ParcelReader from, std::size_t room, ParcelWriter& to) override;
    [[nodiscard]] Status read(std::span<const std::uint32_t> questions, Arrival&& arrival,
                              std::size_t& answered) override;

private:
    using RoutedShapes<Dim>::here_;
    struct Run {
        std::uint32_t row, count;
    };
    /// One rank's answer to one question.
    struct Piece {
        std::uint32_t question;
        std::uint32_t brick; ///< where the rank's brick begins in each row
        std::span<const GlobalId> ids;
        std::span<const Run> runs; ///< none where no other rank is asked
        friend bool operator<(const Piece& a, const Piece& b) noexcept {
            return a.question < b.question;
        }
    };

    void ask(std::uint32_t question, AskLists& lists) override;
    void finish() override;
    void add(std::span<const Piece> pieces);

    const GlobalHits& large_;
    GlobalHits& out_;
    Vector<std::uint8_t> shared_; ///< whether several ranks are asked
    Vector<Piece> pieces_;
    std::vector<std::vector<std::byte>> arrived_; ///< bytes that the pieces point into
    Vector<Id> ids_;
    Vector<std::uint64_t> offsets_;
};

/// DistributedGrid::count() and any().
template <std::size_t Dim>
class RoutedCounts final : public RoutedShapes<Dim> {
public:
    /// `counts` starts with the counts of giants and statics; with `any` all counts are 1 or 0.
    RoutedCounts(RankView<Dim>& here, const ShapesView<Dim>& shapes,
                 std::span<const GlobalFilter> filters, bool any,
                 std::span<std::uint64_t> counts) noexcept
        : RoutedShapes<Dim>(here, shapes, filters), any_(any), counts_(counts) {}

    void write(std::span<const std::uint32_t> questions, ParcelWriter& to) override;
    [[nodiscard]] Status answer(ParcelReader from, std::size_t room, ParcelWriter& to) override;
    [[nodiscard]] Status read(std::span<const std::uint32_t> questions, Arrival&& arrival,
                              std::size_t& answered) override;

private:
    using RoutedShapes<Dim>::here_;

    void ask(std::uint32_t question, AskLists& lists) override;

    const bool any_;
    const std::span<std::uint64_t> counts_;
};

extern template class RoutedShapes<2>;
extern template class RoutedShapes<3>;
extern template class RoutedLists<2>;
extern template class RoutedLists<3>;
extern template class RoutedCounts<2>;
extern template class RoutedCounts<3>;

} // namespace throng
