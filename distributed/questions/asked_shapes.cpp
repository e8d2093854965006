#include "asked_shapes.hpp"

namespace throng {

namespace {

struct FiltersHead {
    std::uint32_t each = 0, groups = kAllGroups; ///< 1: one filter each; 0: this one for all
    GlobalId without = kNoGlobalId;
};

struct ShapesHead {
    std::uint32_t count = 0, kind = 0;
};

} // namespace

void AskedFilters::write(std::span<const GlobalFilter> filters, std::size_t begin,
                         std::span<const std::uint32_t> questions, ParcelWriter& to) {
    if (filters.size() < 2) {
        const GlobalFilter all = filters.empty() ? GlobalFilter{} : filters[0];
        to.put_one(FiltersHead{0, all.groups, all.without});
        return;
    }
    Vector<std::uint32_t> groups;
    Vector<GlobalId> without;
    for (const std::uint32_t question : questions) {
        groups.push_back(filters[begin + question].groups);
        without.push_back(filters[begin + question].without);
    }
    to.put_one(FiltersHead{1});
    to.put(groups);
    to.put(without);
}

template <std::size_t Dim>
bool AskedFilters::read(ParcelReader& from, std::size_t count, const Census<Dim>& census) {
    FiltersHead head;
    if (!from.take_one(head)) { return false; }
    all_ = census.local({head.groups, head.without});
    if (head.each == 0) { return true; }
    std::span<const std::uint32_t> groups;
    std::span<const GlobalId> without;
    if (!from.take(count, groups) || !from.take(count, without)) { return false; }
    each_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        each_[i] = census.local({groups[i], without[i]});
    }
    return true;
}

template bool AskedFilters::read(ParcelReader&, std::size_t, const Census<2>&);
template bool AskedFilters::read(ParcelReader&, std::size_t, const Census<3>&);

template <std::size_t Dim>
void AskedShapes<Dim>::write(const ShapesView<Dim>& shapes, std::span<const GlobalFilter> filters,
                             std::size_t begin, std::span<const std::uint32_t> questions,
                             ParcelWriter& to) {
    to.put_one(ShapesHead{static_cast<std::uint32_t>(questions.size()),
                          static_cast<std::uint32_t>(shapes.kind)});
    const std::size_t size = shape_size<Dim>(shapes.kind);
    const auto* const all = static_cast<const std::byte*>(shapes.shapes);
    std::byte* at = to.add(questions.size() * size);
    for (const std::uint32_t question : questions) {
        std::memcpy(at, all + (begin + question) * size, size);
        at += size;
    }
    AskedFilters::write(filters, begin, questions, to);
}

template <std::size_t Dim>
bool AskedShapes<Dim>::read(ParcelReader& from, const Census<Dim>& census) {
    ShapesHead head;
    const std::byte* begin = nullptr;
    if (!from.take_one(head) || head.kind >= kShapeKinds || head.count == 0 ||
        !from.take(head.count * shape_size<Dim>(static_cast<ShapeKind>(head.kind)), begin)) {
        return false;
    }
    shapes = {static_cast<ShapeKind>(head.kind), begin, head.count};
    return filters.read(from, head.count, census);
}

template struct AskedShapes<2>;
template struct AskedShapes<3>;

} // namespace throng
