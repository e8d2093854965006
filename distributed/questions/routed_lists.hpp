// Which agents of a crowd over many ranks shapes find, and how many. Internal to distributed/.
#pragma once

#include "asked_shapes.hpp"
#include "rank_view.hpp"
#include "rounds.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng {

/// Questions that are shapes: each goes to all ranks that may have agents that it finds.
template <std::size_t Dim>
class RoutedShapes : public Asking {
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
    /// All that was asked has been answered.
    virtual void finish() {}
    /// Adds question `question` of those from begin_ on to the lists of the ranks to be asked.
    virtual void ask(std::uint32_t question, AskLists& lists);

    [[nodiscard]] ShapesView<Dim> shape(std::uint32_t question) const noexcept {
        return shapes_.part(begin_ + question, 1);
    }

    RankView<Dim>& here_;
    const ShapesView<Dim> shapes_;
    const std::span<const GlobalFilter> filters_;
    std::size_t begin_ = 0, end_ = 0; ///< questions that are being asked
};

/// DistributedGrid::query(). Answers are runs: how many of a row. Bricks are apart, so in each row
/// the runs of several ranks follow each other as the bricks do, and to merge runs is enough.
template <std::size_t Dim>
class RoutedLists final : public RoutedShapes<Dim> {
public:
    /// `out` has one offset, zero, and no ids. `large`, if it is not empty, is what comes behind
    /// the small agents of each answer.
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
    /// What one rank answers to one question.
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
    std::vector<std::vector<std::byte>> arrived_; ///< where the pieces lie
    Vector<Id> ids_;
    Vector<std::uint64_t> offsets_;
};

/// DistributedGrid::count() and any().
template <std::size_t Dim>
class RoutedCounts final : public RoutedShapes<Dim> {
public:
    /// `counts` has what giants and statics come to; with `any` they are and become 1 or 0.
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
