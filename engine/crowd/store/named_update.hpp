// An update from arrays in an order of the host's own. Internal to the engine.
#pragma once

#include "update.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

namespace throng {

/// Brings agents that the host names one by one into arrays by id, and updates the crowd with
/// these. `All` is Agents or WorldAgents.
template <std::size_t Dim, class All>
class NamedUpdate final : public LoopSequence {
public:
    using State = detail::StateOf<Crowd<Dim>>;

    NamedUpdate(State& state, const All& agents, const Names& names, Executor& executor) noexcept;

    Status next(Loop& loop) override;
    void run(std::size_t block) noexcept override;

private:
    using Float = std::conditional_t<std::is_same_v<All, Agents<Dim>>, float, double>;

    /// The loop that runs; none: before the first loop.
    enum class Step : std::uint8_t {
        none,
        place,  ///< blocks of agents: what they have to the arrays
        update, ///< the loops of the update
    };

    /// Ends a step and begins the next; its loop may have no blocks.
    Status advance(Loop& loop);
    Status begin(Loop& loop);
    Status begin_updating();

    void place_block(std::size_t block) noexcept;
    [[nodiscard]] Status check_given() const noexcept;
    [[nodiscard]] Status check_names() const noexcept;
    [[nodiscard]] Status fault_of_twice() noexcept;
    [[nodiscard]] Status with_index_given(const Status& status);
    Status keep_given();
    [[nodiscard]] All by_id() const noexcept;

    /// The given agents with positions in floats; only the views of these agents may be looked at
    /// if they have any_positions().
    [[nodiscard]] Agents<Dim> with_positions(const PointView<Dim>& positions) const noexcept {
        return {positions, given_.common_half_extent, given_.half_extents, given_.groups};
    }
    [[nodiscard]] PointView<Dim> any_positions() const noexcept {
        if constexpr (std::is_same_v<Float, float>) {
            return given_.positions;
        } else {
            std::array<const float*, Dim> axes;
            axes.fill(&kNowhere);
            return PointView<Dim>::separate(axes, given_.positions.count);
        }
    }

    static constexpr float kNowhere = 0.0f;

    State& state_;
    const All given_;
    const Names names_;
    Executor& executor_;
    NamedArrays& arrays_;
    std::size_t ids_ = 0; // elements of each array
    Step step_ = Step::none;
    std::atomic<bool> sound_ = true;
    CrowdKind<Dim> kind_;
    std::array<Vector<float>, Dim> kept_positions_; // if keep_given() was called
    Agents<Dim> kept_;
    std::optional<CrowdUpdate<Dim>> update_;
};

extern template class NamedUpdate<2, Agents<2>>;
extern template class NamedUpdate<3, Agents<3>>;
extern template class NamedUpdate<2, WorldAgents<2>>;
extern template class NamedUpdate<3, WorldAgents<3>>;

} // namespace throng
