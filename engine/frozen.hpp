// Indexes that are kept in files, or in memory, and are back at once.
#pragma once

#include "../simd/export.hpp"
#include "crowd.hpp"
#include "loose_tree.hpp"
#include "progress.hpp"
#include "row_grid.hpp"
#include "static_tree.hpp"
#include "status.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace throng {

template <class Index>
inline constexpr bool kCanBeFrozen = false;
template <std::size_t Dim>
inline constexpr bool kCanBeFrozen<RowGrid<Dim>> = true;
template <std::size_t Dim>
inline constexpr bool kCanBeFrozen<StaticTree<Dim>> = true;
template <std::size_t Dim>
inline constexpr bool kCanBeFrozen<LooseTree<Dim>> = true;
template <std::size_t Dim>
inline constexpr bool kCanBeFrozen<Crowd<Dim>> = true;

/// An index that save() and load() know.
template <class Index>
concept Freezable = kCanBeFrozen<Index>;

/// Writes all that an index is, so that load() makes one that gives the same answers in the same
/// order, to the bit, and takes the same edits. Any state will do: empty, never laid out, edited.
///
/// A file is written beside the path and then takes its place; after a failure the path is as it
/// was, and so is `memory`, which is replaced as a whole. Refused: a file that cannot be written
/// (Cause::io_failed, with Argument::file), and what `progress` ends.
template <Freezable Index>
THRONG_API Status save(const Index& index, const char* path, const Progress& progress = {});
template <Freezable Index>
THRONG_API Status save(const Index& index, std::vector<std::byte>& memory,
                       const Progress& progress = {});

/// Replaces an index by what was saved. Nothing is sorted or packed: words are copied, and checked.
///
/// Refused, with Argument::file, and then the index is as it was: a file that cannot be read
/// (Cause::io_failed), that is something else or holds another structure (not_an_index), that is of
/// another format, dimension or byte order (other_version), that has lost its end or goes on behind
/// it (truncated), and one of which a byte has changed (corrupted). That holds for each byte; of
/// changes to several at once one in 2^64 might go unnoticed.
///
/// A file that somebody made on purpose, with sums that are right, may hold whatever crowd they
/// like, but nothing that is no index: it is as safe to ask and to edit as any other. Memory is
/// asked for in proportion to the bytes that are there.
///
/// A crowd keeps its source of memory. Handles that were given out before it was saved are foreign
/// to one that is loaded; its agents have the same slots, and handle_of() tells their new handles.
template <Freezable Index>
THRONG_API Status load(Index& index, const char* path, const Progress& progress = {});
template <Freezable Index>
THRONG_API Status load(Index& index, std::span<const std::byte> memory,
                       const Progress& progress = {});

} // namespace throng
