// Answers with giants and statics. Every rank has all of them, so the asking rank searches them
// itself. Internal to distributed/.
#pragma once

#include "../../engine/crowd/sets.hpp"
#include "../../engine/crowd/store/part.hpp"
#include "../../engine/shapes/shapes_view.hpp"
#include "../global_answers.hpp"
#include "rank_view.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng {

/// Finds giants and statics for the questions of this rank, by global ids. The questions have been
/// checked. All calls throw std::bad_alloc.
template <std::size_t Dim>
class LargeAnswers {
public:
    LargeAnswers(RankView<Dim>& here, std::span<const GlobalFilter> filters) noexcept
        : here_(here), filters_(filters), sets_(here.sets & (Sets::giants | Sets::statics)) {}

    /// Whether there is no giant and no static that could answer.
    [[nodiscard]] bool empty() const noexcept {
        return !(has(sets_, Sets::giants) && !here_.part.giants().empty()) &&
               !(has(sets_, Sets::statics) && here_.part.crowd().size(Sets::statics) != 0);
    }

    /// Giants come before statics, each in the order of Crowd::query().
    Status list(const ShapesView<Dim>& shapes, GlobalHits& hits);
    /// `counts` has an element for each shape; with `any` each becomes 1 or 0.
    Status count(const ShapesView<Dim>& shapes, bool any, std::span<std::uint64_t> counts);
    /// `hits` has k empty places for each point.
    Status nearest(std::span<const Point<Dim>> points, const GlobalNearest& nearest,
                   GlobalNearHits& hits);
    /// `first` has a GlobalMeeting{} for each path.
    Status first(const ShapesView<Dim>& paths, std::span<GlobalMeeting> first);
    Status meetings(const ShapesView<Dim>& paths, GlobalMeetings& meetings);

private:
    [[nodiscard]] GlobalId global(Id name) const noexcept { return here_.global(name); }
    [[nodiscard]] std::size_t giants_up_to(GlobalId id) const noexcept;
    [[nodiscard]] Id last_up_to(GlobalId id) const noexcept;
    [[nodiscard]] Filter local(const GlobalFilter& filter) const noexcept;
    [[nodiscard]] Filter filter(std::size_t question) const noexcept;

    RankView<Dim>& here_;
    const std::span<const GlobalFilter> filters_;
    const Sets sets_;
};

extern template class LargeAnswers<2>;
extern template class LargeAnswers<3>;

} // namespace throng
