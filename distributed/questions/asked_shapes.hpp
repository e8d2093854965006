// Shapes and filters on their way to other ranks. Internal to distributed/.
#pragma once

#include "../../engine/agents/filter.hpp"
#include "../../engine/shapes/shapes_view.hpp"
#include "../store/census.hpp"
#include "parcel_bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace throng {

/// The refusal of a parcel whose length is not what its head says.
inline constexpr Status kBadParcel{Cause::count_mismatch, Argument::arrays};

/// The filters of a call: none, one for all questions, or one each.
class AskedFilters {
public:
    [[nodiscard]] static Status check(std::span<const GlobalFilter> filters,
                                      std::size_t questions) noexcept {
        return filters.size() < 2 || filters.size() == questions
                   ? Status{}
                   : Status{Cause::count_mismatch, Argument::filters};
    }

    /// Writes the filters of questions begin + questions[i].
    static void write(std::span<const GlobalFilter> filters, std::size_t begin,
                      std::span<const std::uint32_t> questions, ParcelWriter& to);
    template <std::size_t Dim>
    [[nodiscard]] bool read(ParcelReader& from, std::size_t count, const Census<Dim>& census);

    [[nodiscard]] Filter of(std::size_t question) const noexcept {
        return each_.empty() ? all_ : each_[question];
    }
    [[nodiscard]] Filters view() const noexcept {
        return each_.empty() ? Filters(all_) : Filters(each_);
    }

private:
    Filter all_;
    Vector<Filter> each_;
};

/// The shapes of a parcel.
template <std::size_t Dim>
struct AskedShapes {
    ShapesView<Dim> shapes;
    AskedFilters filters;

    /// Writes shapes begin + questions[i], and their filters.
    static void write(const ShapesView<Dim>& shapes, std::span<const GlobalFilter> filters,
                      std::size_t begin, std::span<const std::uint32_t> questions,
                      ParcelWriter& to);
    [[nodiscard]] bool read(ParcelReader& from, const Census<Dim>& census);

    /// Bytes of one shape with its filter.
    [[nodiscard]] static std::size_t bytes(const ShapesView<Dim>& shapes) noexcept {
        return shape_size<Dim>(shapes.kind) + sizeof(GlobalFilter);
    }
};

extern template struct AskedShapes<2>;
extern template struct AskedShapes<3>;

} // namespace throng
