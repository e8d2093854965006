// Saves indexes to files or memory, and loads them without sorting or packing anything.
//
// To save and load crowds and grids, include frozen/frozen.hpp; loose trees and obstacles can be
// saved and loaded with their own headers.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../core/progress.hpp"
#include "../core/status.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace throng {

template <class Index>
inline constexpr bool kCanBeFrozen = false;

/// An index that save() and load() take.
template <class Index>
concept Freezable = kCanBeFrozen<Index>;

/// Writes an index, so that load() makes one that gives the same answers in the same order, to the
/// bit, and still does after the same edits and updates. The index may be in any state: empty,
/// never laid out, edited.
///
/// The path is UTF-8, on Windows too. The file is written beside it and then moved there, and
/// `memory` is replaced as a whole: after a failure both are as they were. Refused: a file that
/// cannot be written (Cause::io_failed, with Argument::file), and a call that `progress` ends.
template <Freezable Index>
THRONG_API Status save(const Index& index, const char* path, const Progress& progress = {});
template <Freezable Index>
THRONG_API Status save(const Index& index, std::vector<std::byte>& memory,
                       const Progress& progress = {});

/// Replaces an index by a saved one. Nothing is sorted or packed: words are copied, and checked.
///
/// Refused, with Argument::file, and then the index is as it was: a file that cannot be read
/// (Cause::io_failed), is something else or holds another structure (not_an_index), has another
/// format, dimension or byte order (other_version), has lost its end or goes on behind it
/// (truncated), or has a changed byte (corrupted). Every change of a single byte is found; of
/// changes to several bytes one in 2^64 might go unnoticed. And, as for every update,
/// Cause::no_such_isa where active_isa() is none.
///
/// A hostile file with correct checksums can choose what the index holds, but cannot break it: the
/// index is as safe to ask and to edit as any other. load() asks for memory in proportion to the
/// size of the file.
///
/// A crowd keeps its source of memory. A loaded crowd refuses handles that were given out before it
/// was saved, as another crowd's; its agents have the same slots, and handle_of() returns their new
/// handles.
template <Freezable Index>
THRONG_API Status load(Index& index, const char* path, const Progress& progress = {});
template <Freezable Index>
THRONG_API Status load(Index& index, std::span<const std::byte> memory,
                       const Progress& progress = {});

} // namespace throng

#include "../../simd/isa/names_end.hpp"
