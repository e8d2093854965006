// The order of answers, found the slow way.
#include "oracle.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace throng::oracle {

template <std::size_t Dim>
void sort_canonically(const GridShape<Dim>& shape, std::span<const Point<Dim>> position_of,
                      std::vector<Id>& ids) {
    std::vector<std::tuple<std::uint32_t, std::uint32_t, Id>> keys;
    keys.reserve(ids.size());
    for (const Id id : ids) {
        const Point<Dim>& point = position_of[id];
        keys.emplace_back(shape.row_of(point), shape.cell_on(0, point[0]), id);
    }
    std::sort(keys.begin(), keys.end());
    std::transform(keys.begin(), keys.end(), ids.begin(),
                   [](const auto& key) { return std::get<2>(key); });
}

template <std::size_t Dim>
CanonicalOrder<Dim>::CanonicalOrder(const GridShape<Dim>& shape,
                                    std::span<const Point<Dim>> position_of)
    : ids_(position_of.size()), rank_of_(position_of.size()) {
    std::iota(ids_.begin(), ids_.end(), Id{0});
    sort_canonically(shape, position_of, ids_);
    for (std::uint32_t rank = 0; rank < ids_.size(); ++rank) {
        rank_of_[ids_[rank]] = rank;
    }
}

template <std::size_t Dim>
std::vector<Id> CanonicalOrder<Dim>::sorted(std::vector<Id> ids) const {
    std::sort(ids.begin(), ids.end(), [&](Id p, Id q) { return rank_of_[p] < rank_of_[q]; });
    return ids;
}

template void sort_canonically(const GridShape<2>&, std::span<const Point<2>>, std::vector<Id>&);
template void sort_canonically(const GridShape<3>&, std::span<const Point<3>>, std::vector<Id>&);
template class CanonicalOrder<2>;
template class CanonicalOrder<3>;

} // namespace throng::oracle
