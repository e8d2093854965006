// How an index writes itself into an archive, and reads itself from one. Internal to the engine.
#pragma once

#include "archive.hpp"

namespace throng {

/// Specialised for each index that can be frozen, with a kind, and
///
///     static void write(const Index& index, ArchiveWriter& out);
///     static void read(ArchiveReader& in, Index& index);
///
/// An index is saved as a group of sections. An index made of several writes them one after
/// another, with sections of its own before, between or behind them. It reads them in the same
/// order into new indexes, which replace the old ones once the whole archive was read and is right.
///
/// read() leaves the index as it was unless the reader is ok() afterwards.
template <class Index>
struct FrozenIndex;

} // namespace throng
