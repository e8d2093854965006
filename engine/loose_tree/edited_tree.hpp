// A tree that can be edited: an agent is put into the page where the curve passes it, full pages
// share their agents, and pages that got many new agents are packed anew. Internal to the engine.
#pragma once

#include "page_packing.hpp"
#include "tree_packing.hpp"
#include "tree_store.hpp"

#include <cstddef>
#include <cstdint>

namespace throng {

class ArchiveReader;
class ArchiveWriter;

/// A TreeStore, and a table that says where each agent is. After update() ids are indices, and
/// there is no such table until the first edit makes it.
///
/// The cover of every leaf and node is exactly that of its agents, after every call. But edits
/// spoil the grouping of agents. So a page is packed anew for every 64 agents that come to it, a
/// full page together with its neighbours, and all pages once as many agents have come as the tree
/// has.
template <std::size_t Dim>
class EditedTree {
public:
    [[nodiscard]] const TreeStore<Dim>& store() const noexcept { return store_; }
    /// The store as kernels see it. It is kept, since making it takes half the time of a small
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
    /// After this, an insert() or move() of this id, if it is the next edit, can fail only because
    /// of its arguments. Throws std::bad_alloc, and then nothing has changed.
    Status prepare_edit(std::uint32_t id);
    Status move(std::uint32_t id, const Point<Dim>& position);

    /// Becomes a copy of another tree, down to the order of answers and to what edits will do.
    /// Throws std::bad_alloc, and then nothing has changed.
    void copy(const EditedTree& other);

    /// Writes and reads sections of an archive. read() leaves the tree as it was unless the reader
    /// is ok().
    void write(ArchiveWriter& out) const;
    void read(ArchiveReader& in);

    [[nodiscard]] const char* validate() const;
    [[nodiscard]] std::size_t id_bytes() const noexcept { return slots_.bytes(); }
    [[nodiscard]] std::size_t staging_bytes() const noexcept;
    void release_staging() noexcept;

private:
    /// Makes the view of the store anew when a scope ends, even by an exception.
    struct Renewal {
        explicit Renewal(EditedTree& edited) noexcept : tree(edited) {}
        Renewal(const Renewal&) = delete;
        Renewal& operator=(const Renewal&) = delete;
        ~Renewal() { tree.view_ = tree.store_.view(); }
        EditedTree& tree;
    };
    struct Newcomer {
        std::uint32_t id;
        Point<Dim> position, half_extent;
        std::uint32_t groups;
    };

    [[nodiscard]] std::uint32_t slot_of(std::uint32_t id) const noexcept {
        return id < bound_ ? slots_.data()[id] : kNoSlot;
    }
    void list_slots() noexcept;
    void forget_pages() noexcept;

    // Edits: first the steps that may fail, then those that cannot.
    [[nodiscard]] bool is_due() const noexcept;
    void reserve_ids(std::size_t bound);
    [[nodiscard]] bool reserve_pages();
    void list_ids(std::size_t bound) noexcept;
    void pack_if_due() noexcept;
    void pack_anew();
    void add(const Newcomer& agent) noexcept;
    void take_out(std::uint32_t slot) noexcept;

    [[nodiscard]] std::uint32_t place_for(std::uint32_t key) const noexcept;
    [[nodiscard]] std::uint32_t leaf_for(std::uint32_t page, const Box<Dim>& box) noexcept;
    void part_leaf(std::uint32_t leaf, std::uint32_t empty) noexcept;
    [[nodiscard]] std::uint32_t widen_page(std::uint32_t page, std::uint32_t key) noexcept;
    void begin_before(std::uint32_t place, std::uint32_t key) noexcept;
    void mend_page(std::uint32_t page) noexcept;
    void join_page(std::uint32_t place) noexcept;
    void pack_pages(const PageRun& from, const PageRun& to, const PackSpace& space) noexcept;
    void cover_above(std::uint32_t place) noexcept;
    void count_above(std::uint32_t place, std::uint32_t change) noexcept;
    void renew_node(std::uint32_t n) noexcept;
    void set_place(std::uint32_t page, std::uint32_t place) noexcept;
    [[nodiscard]] std::uint32_t take_page() noexcept;
    void give_page(std::uint32_t page) noexcept;

    [[nodiscard]] const char* fault_of_nodes() const;
    [[nodiscard]] const char* fault_of_slots() const;
    [[nodiscard]] const char* fault_of_pages() const;

    TreeStore<Dim> store_;
    simd::TreeView<Dim> view_ = store_.view();
    std::size_t size_ = 0;
    bool listed_ = true;
    WordBuffer slots_;      // by id; only if listed_
    std::size_t bound_ = 0; // the number of ids that have an entry
    // Agents that came since all were packed, and how many of these lie outside the curve.
    std::uint32_t newcomers_ = 0, strays_ = 0;
    PackingStaging<Dim> staging_;
    WordBuffer gathered_; // copies of all agents while they are packed anew
    PageScratch page_scratch_;
};

extern template class EditedTree<2>;
extern template class EditedTree<3>;

} // namespace throng
