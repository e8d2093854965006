#include "share.hpp"

#include <numeric>

namespace throng {

template <std::size_t Dim>
void Share<Dim>::keep_only(std::span<const Id> kept) {
    std::vector<Id> all(kept.begin(), kept.end());
    const std::size_t births = owned_ + ghosts_;
    all.resize(kept.size() + ids.size() - births);
    std::iota(all.begin() + static_cast<std::ptrdiff_t>(kept.size()), all.end(),
              static_cast<Id>(births));
    for_each_array(!half_extents.empty(), !groups.empty(),
                   [&](detail::ShareArray& array) { array.keep(all); });
    owned_ = kept.size();
    ghosts_ = 0;
}

template <std::size_t Dim>
Status Share<Dim>::check(const CrowdKind<Dim>& kind) const {
    const std::size_t count = ids.size();
    if (positions.size() != count || owned_ + ghosts_ > count) {
        return {Cause::count_mismatch, Argument::positions};
    }
    const auto check_size = [&](bool kept, std::size_t size, Argument argument) {
        if (kept && size != count) { return Status{Cause::count_mismatch, argument}; }
        return !kept && size != 0 ? Status{Cause::not_stored, argument} : Status{};
    };
    if (const Status status =
            check_size(kind.own_half_extents, half_extents.size(), Argument::half_extents);
        !status.ok()) {
        return status;
    }
    if (const Status status = check_size(kind.groups, groups.size(), Argument::groups);
        !status.ok()) {
        return status;
    }
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        if (columns_[c]->size() != count) { return {Cause::count_mismatch, Argument::columns, c}; }
    }
    if (count > kMaxAgents) { return {Cause::too_many, Argument::positions}; }
    return {};
}

template <std::size_t Dim>
std::size_t Share<Dim>::memory() const noexcept {
    std::size_t bytes = ids_array_.memory() + positions_array_.memory() +
                        half_extents_array_.memory() + groups_array_.memory();
    for (const auto& column : columns_) {
        bytes += column->memory();
    }
    return bytes;
}

template class Share<2>;
template class Share<3>;

} // namespace throng
