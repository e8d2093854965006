// A static tree that can be edited: packed leaves, holes in them, and agents that wait behind the
// tree. Internal to the engine.
#pragma once

#include "tree_packing.hpp"
#include "tree_store.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng {

class ArchiveReader;
class ArchiveWriter;

/// Knows where each agent is. After a packing ids are indices, and no table of ids is needed until
/// the first edit makes one.
template <std::size_t Dim>
class EditedTree {
public:
    [[nodiscard]] const TreeStore<Dim>& store() const noexcept { return store_; }
    /// The store as kernels see it. It is kept, since making it takes half as long as a small
    /// query.
    [[nodiscard]] const simd::TreeView<Dim>& view() const noexcept { return view_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool contains(std::uint32_t id) const noexcept {
        return listed_ ? slot_of(id) != kNoSlot : id < size_;
    }

    /// Starts without agents, for agents of this kind.
    void restart(const CrowdKind<Dim>& kind) noexcept;

    Status update(const Agents<Dim>& agents, Executor& executor, const Progress& progress = {});
    Status insert(std::uint32_t id, const Agent<Dim>& agent);
    Status erase(std::uint32_t id);
    /// Makes sure that the next move() of this agent, which must be there, takes no memory. Throws
    /// std::bad_alloc.
    void prepare_move(std::uint32_t id);
    Status move(std::uint32_t id, const Point<Dim>& position);

    /// Writes and reads sections of an archive. read() leaves the tree as it was unless the reader
    /// is ok().
    void write(ArchiveWriter& out) const;
    void read(ArchiveReader& in);

    [[nodiscard]] const char* validate() const;
    [[nodiscard]] std::size_t id_bytes() const noexcept { return slots_.bytes(); }
    [[nodiscard]] std::size_t staging_bytes() const noexcept;
    void release_staging() noexcept;

    /// For tests that plant faults.
    [[nodiscard]] TreeStore<Dim>& exposed_store() noexcept { return store_; }

private:
    [[nodiscard]] std::uint32_t slot_of(std::uint32_t id) const noexcept {
        return id < bound_ ? slots_.data()[id] : kNoSlot;
    }
    [[nodiscard]] bool has_room() const noexcept {
        return store_.waiting < store_.layout.waiting_room();
    }
    void list_ids();
    void list_slots() noexcept;
    void make_room(std::uint32_t id);
    void pack_anew();
    void fill_hole(std::uint32_t slot) noexcept;
    void take_in(std::uint32_t id, const Point<Dim>& position, const Point<Dim>& half_extent,
                 std::uint32_t groups) noexcept;
    void leave(std::uint32_t slot) noexcept;
    [[nodiscard]] const char* fault_of_nodes() const;
    [[nodiscard]] const char* fault_of_slots() const;

    TreeStore<Dim> store_;
    simd::TreeView<Dim> view_ = store_.view();
    std::size_t size_ = 0;
    bool listed_ = true;
    WordBuffer slots_;      // by id; only if they are listed
    std::size_t bound_ = 0; // the number of ids that have an entry
    PackingStaging<Dim> staging_;
    WordBuffer gathered_; // copies of all agents while they are packed anew
};

extern template class EditedTree<2>;
extern template class EditedTree<3>;

} // namespace throng
