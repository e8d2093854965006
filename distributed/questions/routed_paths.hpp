// Agents that paths meet in a crowd over many ranks. Internal to distributed/.
#pragma once

#include "routed_lists.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng {

/// DistributedGrid::first(). First it asks the rank whose agents the path may meet first; then all
/// ranks whose agents the path may meet before or at the time found.
template <std::size_t Dim>
class RoutedFirst final : public RoutedShapes<Dim> {
public:
    /// `out` has the first meetings with giants and statics: GlobalMeeting{} for none.
    RoutedFirst(RankView<Dim>& here, const ShapesView<Dim>& paths,
                std::span<const GlobalFilter> filters, std::span<GlobalMeeting> out) noexcept
        : RoutedShapes<Dim>(here, paths, filters), out_(out) {}

    [[nodiscard]] bool next(AskLists& lists) override;
    [[nodiscard]] Status answer(ParcelReader from, std::size_t room, ParcelWriter& to) override;
    [[nodiscard]] Status read(std::span<const std::uint32_t> questions, Arrival&& arrival,
                              std::size_t& answered) override;

private:
    using RoutedShapes<Dim>::here_;

    void ask(std::uint32_t question, AskLists& lists) override;

    const std::span<GlobalMeeting> out_;
    bool second_ = false;         ///< the other ranks are being asked
    Vector<std::uint32_t> first_; ///< the rank that was asked first, if any, for each path
};

/// DistributedGrid::meetings().
template <std::size_t Dim>
class RoutedMeetings final : public RoutedShapes<Dim> {
public:
    /// `out` has one offset, zero, and no meetings. `large`, unless empty, has the meetings with
    /// giants and statics.
    RoutedMeetings(RankView<Dim>& here, const ShapesView<Dim>& paths,
                   std::span<const GlobalFilter> filters, const GlobalMeetings& large,
                   GlobalMeetings& out) noexcept
        : RoutedShapes<Dim>(here, paths, filters), large_(large), out_(out) {}

    [[nodiscard]] Status answer(ParcelReader from, std::size_t room, ParcelWriter& to) override;
    [[nodiscard]] Status read(std::span<const std::uint32_t> questions, Arrival&& arrival,
                              std::size_t& answered) override;

private:
    using RoutedShapes<Dim>::here_;
    struct Piece {
        std::uint32_t question;
        std::span<const float> times;
        std::span<const GlobalId> ids;
        friend bool operator<(const Piece& a, const Piece& b) noexcept {
            return a.question < b.question;
        }
    };

    void finish() override;

    const GlobalMeetings& large_;
    GlobalMeetings& out_;
    Vector<Piece> pieces_;
    std::vector<std::vector<std::byte>> arrived_; ///< bytes that the pieces point into
};

extern template class RoutedFirst<2>;
extern template class RoutedFirst<3>;
extern template class RoutedMeetings<2>;
extern template class RoutedMeetings<3>;

} // namespace throng
