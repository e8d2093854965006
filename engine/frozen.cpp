#include "frozen.hpp"

#include "archive.hpp"
#include "frozen_index.hpp"

#include <utility>

namespace throng {

namespace {

template <class Index, class Place>
Status save_to(const Index& index, Place&& place, const Progress& progress) {
    using Frozen = FrozenIndex<Index>;
    return write_archive(
        place, Frozen::kKind, [&](ArchiveWriter& out) { Frozen::write(index, out); }, progress);
}

template <class Index, class Place>
Status load_from(Index& index, Place place, const Progress& progress) {
    using Frozen = FrozenIndex<Index>;
    Index loaded;
    const Status status = read_archive(
        place, Frozen::kKind, [&](ArchiveReader& in) { Frozen::read(in, loaded); }, progress);
    if (status.ok()) { index = std::move(loaded); }
    return status;
}

} // namespace

template <Freezable Index>
Status save(const Index& index, const char* path, const Progress& progress) {
    return save_to(index, path, progress);
}
template <Freezable Index>
Status save(const Index& index, std::vector<std::byte>& memory, const Progress& progress) {
    return save_to(index, memory, progress);
}
template <Freezable Index>
Status load(Index& index, const char* path, const Progress& progress) {
    return load_from(index, path, progress);
}
template <Freezable Index>
Status load(Index& index, std::span<const std::byte> memory, const Progress& progress) {
    return load_from(index, memory, progress);
}

#define THRONG_FOR_INDEX(Index)                                                                    \
    template Status save(const Index&, const char*, const Progress&);                              \
    template Status save(const Index&, std::vector<std::byte>&, const Progress&);                  \
    template Status load(Index&, const char*, const Progress&);                                    \
    template Status load(Index&, std::span<const std::byte>, const Progress&);
#define THRONG_FOR_DIM(Dim)                                                                        \
    THRONG_FOR_INDEX(RowGrid<Dim>)                                                                 \
    THRONG_FOR_INDEX(StaticTree<Dim>)                                                              \
    THRONG_FOR_INDEX(LooseTree<Dim>)
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM
#undef THRONG_FOR_INDEX

} // namespace throng
