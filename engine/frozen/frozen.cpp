#include "frozen.hpp"

#include "../archive/archive.hpp"
#include "../crowd/frozen.hpp"
#include "../family/loose_tree/frozen.hpp"
#include "../grid/frozen.hpp"
#include "../memory/memory_scope.hpp"
#include "../static_tree/frozen.hpp"

#include <utility>

namespace throng {

namespace {

template <class Index, class Place>
Status save_to(const Index& index, Place&& place, const Progress& progress) {
    using Frozen = FrozenIndex<Index>;
    return write_archive(
        place, Frozen::kKind, [&](ArchiveWriter& out) { Frozen::write(index, out); }, progress);
}

/// An empty index to load into, with the same source of memory, if it has one.
template <class Index>
Status begin_like(const Index&, Index&) noexcept {
    return {};
}
template <std::size_t Dim>
Status begin_like(const Crowd<Dim>& crowd, Crowd<Dim>& loaded) {
    CrowdSettings<Dim> settings;
    settings.memory = crowd.settings().memory;
    return loaded.configure(settings);
}
template <class Index>
MemorySource* memory_of(const Index& index) noexcept {
    if constexpr (requires { index.settings(); }) {
        return index.settings().memory;
    } else {
        return nullptr;
    }
}

template <class Index, class Place>
Status load_from(Index& index, Place place, const Progress& progress) {
    using Frozen = FrozenIndex<Index>;
    const auto load_aside = [&] {
        Index loaded;
        Status status = begin_like(index, loaded);
        if (!status.ok()) { return status; }
        status = read_archive(
            place, Frozen::kKind, [&](ArchiveReader& in) { Frozen::read(in, loaded); }, progress);
        if (status.ok()) { index = std::move(loaded); }
        return status;
    };
    return with_own_memory(memory_of(index), load_aside);
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
    THRONG_FOR_INDEX(LooseTree<Dim>)                                                               \
    THRONG_FOR_INDEX(Crowd<Dim>)
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM
#undef THRONG_FOR_INDEX

} // namespace throng
