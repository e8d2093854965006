// Shares that hosts hold.
#pragma once

#include "../../distributed/share.hpp"
#include "../../throng_distributed.h"
#include "../held.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>
#include <vector>

namespace throng::c {

/// A share of either dimension.
class ShareObject {
public:
    ShareObject(std::uint32_t dimension, bool own_half_extents, bool groups)
        : half_extents_(own_half_extents), groups_(groups) {
        if (dimension == 3) { share_.emplace<Share<3>>(); }
    }

    [[nodiscard]] std::uint32_t dimension() const noexcept {
        return std::holds_alternative<Share<2>>(share_) ? 2 : 3;
    }
    /// Throws Refused if the share has another dimension.
    template <std::size_t Dim>
    [[nodiscard]] Share<Dim>& of() {
        auto* const share = std::get_if<Share<Dim>>(&share_);
        if (share == nullptr) { refuse(THRONG_WRONG_DIMENSION, "share"); }
        return *share;
    }
    /// Calls call(share).
    template <class Call>
    decltype(auto) visit(const Call& call) {
        return std::visit(call, share_);
    }

    [[nodiscard]] bool has_half_extents() const noexcept { return half_extents_; }
    [[nodiscard]] bool has_groups() const noexcept { return groups_; }

    [[nodiscard]] std::size_t columns() const noexcept { return columns_.size(); }
    [[nodiscard]] ByteColumn column(std::size_t number) const noexcept {
        return columns_[number].column;
    }
    /// Bytes of an element of a column.
    [[nodiscard]] std::size_t bytes_of(std::size_t number) const noexcept {
        return columns_[number].bytes;
    }
    void reserve_column() { columns_.reserve(columns_.size() + 1); }
    /// reserve_column() must have made room.
    void add_column(ByteColumn column, std::size_t bytes) noexcept {
        columns_.push_back({column, bytes});
    }

private:
    struct Column {
        ByteColumn column;
        std::size_t bytes;
    };

    bool half_extents_, groups_;
    std::variant<Share<2>, Share<3>> share_;
    std::vector<Column> columns_;
};

template <>
struct Held<throng_share> {
    using Object = ShareObject;
    static constexpr Kind kKind = Kind::share;
};

} // namespace throng::c
