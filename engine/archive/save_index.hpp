// save() and load(), for the file that instantiates them for an index. Internal to the engine.
#pragma once

#include "../../simd/isa/isa.hpp"
#include "../memory/memory_scope.hpp"
#include "archive.hpp"
#include "freezable.hpp"
#include "frozen_index.hpp"

#include <type_traits>
#include <utility>

namespace throng {

namespace detail {

template <class Index, class Medium>
Status save_to(const Index& index, Medium&& medium, const Progress& progress) {
    using Frozen = FrozenIndex<Index>;
    return write_archive(
        medium, Frozen::kKind, [&](ArchiveWriter& out) { Frozen::write(index, out); }, progress);
}

template <class Index>
MemorySource* memory_of(const Index& index) noexcept {
    if constexpr (requires { index.settings(); }) {
        return index.settings().memory;
    } else {
        return nullptr;
    }
}

template <class Index, class Medium>
Status load_from(Index& index, Medium medium, const Progress& progress) {
    using Frozen = FrozenIndex<Index>;
    // Refused as by update(): without kernels no question could find what was loaded.
    if (active_isa() == Isa::none) { return {Cause::no_such_isa, Argument::environment}; }
    const auto load_aside = [&] {
        Index loaded;
        Status status{};
        if constexpr (requires { index.settings(); }) {
            // An empty index with the same source of memory.
            std::remove_cvref_t<decltype(index.settings())> settings{};
            settings.memory = index.settings().memory;
            status = loaded.configure(settings);
            if (!status.ok()) { return status; }
        }
        status = read_archive(
            medium, Frozen::kKind, [&](ArchiveReader& in) { Frozen::read(in, loaded); }, progress);
        if (status.ok()) { index = std::move(loaded); }
        return status;
    };
    return with_own_memory(memory_of(index), load_aside);
}

} // namespace detail

template <Freezable Index>
Status save(const Index& index, const char* path, const Progress& progress) {
    return detail::save_to(index, path, progress);
}
template <Freezable Index>
Status save(const Index& index, std::vector<std::byte>& memory, const Progress& progress) {
    return detail::save_to(index, memory, progress);
}
template <Freezable Index>
Status load(Index& index, const char* path, const Progress& progress) {
    return detail::load_from(index, path, progress);
}
template <Freezable Index>
Status load(Index& index, std::span<const std::byte> memory, const Progress& progress) {
    return detail::load_from(index, memory, progress);
}

} // namespace throng

/// THRONG_FREEZE(Index): instantiates save() and load() for it. To be used in namespace throng,
/// where FrozenIndex<Index> is specialised.
#define THRONG_FREEZE(Index)                                                                       \
    template Status save(const Index&, const char*, const Progress&);                              \
    template Status save(const Index&, std::vector<std::byte>&, const Progress&);                  \
    template Status load(Index&, const char*, const Progress&);                                    \
    template Status load(Index&, std::span<const std::byte>, const Progress&);
