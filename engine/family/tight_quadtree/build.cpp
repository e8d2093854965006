#include "build.hpp"

#include <algorithm>
#include <bit>
#include <new>

namespace throng {

namespace {

/// Nanoseconds on one thread for an agent: listing it (in each of two passes), counting it, writing
/// it. Good enough to choose the number of threads.
constexpr double kListNs = 4.0, kCountNs = 10.0, kWriteNs = 20.0;

/// The level with between half a cell and two cells for each agent, if the depth allows.
unsigned level_for(std::size_t agents, unsigned depth, unsigned most) noexcept {
    const auto doubled = static_cast<std::uint64_t>(agents) * 2;
    const unsigned level =
        doubled == 0 ? 0 : static_cast<unsigned>(std::bit_width(doubled) - 1) / 2;
    return std::min({level, depth, most});
}

/// The level of the parts. Each has some hundred agents: enough that lists cost little, and few
/// enough that uneven parts do no harm. No part is narrower than the widest element in leaves, so
/// an element touches at most four parts; and none has so few elements that it would often lie
/// within a leaf, since one thread has to sort such a leaf.
unsigned parting_for(std::size_t agents, unsigned finest, std::size_t split_above,
                     unsigned most) noexcept {
    constexpr unsigned kLevelsOfPart = std::bit_width(TightTree::kMostLeavesAcross) - 1;
    const std::size_t least = std::max<std::size_t>(256, 4 * split_above);
    unsigned level = 0;
    while (level < most && level + kLevelsOfPart < finest && agents >> 2 * (level + 1) >= least) {
        ++level;
    }
    return level;
}

} // namespace

std::size_t TightBuild::memory() const noexcept {
    std::size_t bytes =
        (counts_.capacity() + in_block_.capacity()) * sizeof(std::uint32_t) +
        parts_.capacity() * sizeof(TightPart) + records_.capacity() * sizeof(TightRecord) +
        top_nodes_.capacity() * sizeof(TopNode) + top_leaves_.capacity() * sizeof(TopLeaf);
    for (const TightPart& part : parts_) {
        bytes += part.memory();
    }
    return bytes;
}

/// Calls visit(range_of), where range_of(i) gives the lattice cells that agent i's cover touches.
template <class Visit>
Status TightBuild::with_ranges(const TightLattice& lattice, const CrowdKind<2>& kind,
                               const Agents<2>& agents, const Visit& visit) {
    const ValueView<float> x = agents.positions.values(0);
    const ValueView<float> y = agents.positions.values(1);
    if (kind.own_half_extents) {
        const ValueView<float> half_width = agents.half_extents.values(0);
        const ValueView<float> half_height = agents.half_extents.values(1);
        return visit([&](std::size_t i) {
            return lattice.range(
                cover_of(Point<2>{{x[i], y[i]}}, Point<2>{{half_width[i], half_height[i]}}));
        });
    }
    return visit([&](std::size_t i) {
        return lattice.range(cover_of(Point<2>{{x[i], y[i]}}, kind.common_half_extent));
    });
}

Status TightBuild::plan(TightTree& tree, const TightLattice& lattice, const CrowdKind<2>& kind,
                        const Agents<2>& agents, Executor& executor, LoopClaims& claims) {
    const std::size_t number = agents.positions.count;
    const LoopCost all = LoopCost::of(number, 2 * kListNs + kCountNs + kWriteNs);
    const AgentBlocks blocks(number, executor, all);
    finest_ = level_for(number, lattice.depth(), kMostLevel);
    parting_ =
        blocks.count() > 1 ? parting_for(number, finest_, tree.split_above, kMostParting) : 0;
    place_parts(lattice);
    const Status status = with_ranges(lattice, kind, agents, [&](const auto& range_of) -> Status {
        if (parting_ == 0) {
            parts_[0].plan(tree, lattice, TightAgents{number, range_of});
            return {};
        }
        if (const Status failed = list_agents(blocks, range_of, executor, claims); !failed.ok()) {
            return failed;
        }
        return run_blocks(
            executor, parts_.size(),
            [&](std::size_t p) { parts_[p].plan(tree, lattice, records_of(parts_[p])); }, claims,
            LoopCost::of(number, kCountNs));
    });
    if (!status.ok()) { return status; }

    place_nodes(tree);
    std::size_t blocks_of_splits = 0;
    std::size_t references_of_splits = 0;
    std::size_t oversized = oversized_end_ - oversized_begin_;
    for (const TightPart& part : parts_) {
        blocks_of_splits += part.needs.blocks;
        references_of_splits += part.needs.references;
        oversized += part.oversized + part.needs.oversized;
    }
    const std::size_t blocks_in_all = inner_ + blocks_of_splits + 1;
    if (blocks_in_all > tree.blocks.size()) {
        tree.reserve_blocks(blocks_in_all - tree.blocks.size());
    }
    const std::size_t now = tree.references.size();
    const std::size_t references_in_all = references_ + references_of_splits;
    if (references_in_all > now) { tree.reserve_references(references_in_all - now); }
    // Also makes room for marks: fewer oversized elements than before may have larger ids.
    if (oversized != 0) {
        tree.reserve_oversized(oversized - std::min(oversized, tree.oversized.size()), number);
    }
    claims.prepare(parts_.size() + top_leaves_.size());
    return {};
}

/// Sets the place of each part, and of its counts.
void TightBuild::place_parts(const TightLattice& lattice) {
    constexpr std::size_t kLine = 16; // a cache line: no two parts write to the same one
    const std::size_t number = std::size_t{1} << 2 * parting_;
    const unsigned bits = finest_ - parting_;
    const std::size_t cells = TightPart::cells_for(bits);
    const std::size_t apart = number == 1 ? cells : cells + kLine;
    to_cell_ = lattice.depth() - finest_;
    to_part_ = lattice.depth() - parting_;
    oversized_begin_ = oversized_end_ = 0;
    // resize() alone would copy the old counts and grow beyond what is needed.
    if (number * apart > counts_.capacity()) { counts_ = Vector<std::uint32_t>(); }
    counts_.resize(number * apart);
    if (number > parts_.size()) { parts_.reserve(number); }
    parts_.resize(number);
    for (std::uint32_t column = 0; column < 1u << parting_; ++column) {
        for (std::uint32_t row = 0; row < 1u << parting_; ++row) {
            const std::uint32_t turn = turn_of(column, row);
            TightPart& part = parts_[turn];
            part.level = parting_;
            part.bits = bits;
            part.shift = to_cell_;
            part.x = column << bits;
            part.y = row << bits;
            part.counts = counts_.data() + turn * apart;
        }
    }
}

/// Calls visit(list) with the number of each part that a cover touches, or with parts_.size(), the
/// list of the oversized.
template <class Visit>
void TightBuild::for_parts_of(const LatticeRange& whole, const Visit& visit) const {
    constexpr auto kTurns = [] {
        std::array<std::uint16_t, 1u << kMostParting> turns{};
        for (std::uint32_t x = 0; x < turns.size(); ++x) {
            turns[x] = static_cast<std::uint16_t>(turn_of(x, 0));
        }
        return turns;
    }();
    if (TightTree::is_oversized_at(whole, to_cell_)) {
        visit(parts_.size());
        return;
    }
    const LatticeRange range = whole.coarser(to_part_);
    for (std::size_t y = range.lo_y; y <= range.hi_y; ++y) {
        for (std::size_t x = range.lo_x; x <= range.hi_x; ++x) {
            visit(std::size_t{kTurns[x]} + 2 * std::size_t{kTurns[y]});
        }
    }
}

/// Gives each part a list of the agents that touch it, in the order of their ids, however many
/// blocks there are.
template <class RangeOf>
Status TightBuild::list_agents(const AgentBlocks& blocks, const RangeOf& range_of,
                               Executor& executor, LoopClaims& claims) {
    const std::size_t lists = parts_.size() + 1;
    const LoopCost cost = LoopCost::of(blocks.agents, kListNs);
    if (blocks.count() * lists > in_block_.size()) { in_block_.resize(blocks.count() * lists); }
    const Status status = run_blocks(
        executor, blocks.count(),
        [&](std::size_t block) {
            std::uint32_t* const counts = in_block_.data() + block * lists;
            std::fill_n(counts, lists, 0u);
            for (std::size_t i = blocks.begin(block); i < blocks.end(block); ++i) {
                for_parts_of(range_of(i), [&](std::size_t list) { ++counts[list]; });
            }
        },
        claims, cost);
    if (!status.ok()) { return status; }
    add_up_lists(blocks.count());
    if (oversized_end_ > records_.size()) {
        records_ = Vector<TightRecord>();
        records_.resize(oversized_end_);
    }
    return run_blocks(
        executor, blocks.count(),
        [&](std::size_t block) {
            std::uint32_t* const next = in_block_.data() + block * lists;
            for (std::size_t i = blocks.begin(block); i < blocks.end(block); ++i) {
                const LatticeRange range = range_of(i);
                for_parts_of(range, [&](std::size_t list) {
                    records_[next[list]++] = {range, static_cast<Id>(i)};
                });
            }
        },
        claims, cost);
}

/// Turns the counts of each block into the places where it writes its part of each list.
void TightBuild::add_up_lists(std::size_t blocks) {
    const std::size_t parts = parts_.size();
    const std::size_t lists = parts + 1;
    for (TightPart& part : parts_) {
        part.records = 0;
    }
    std::size_t oversized = 0;
    for (std::size_t block = 0; block < blocks; ++block) {
        const std::uint32_t* const counts = in_block_.data() + block * lists;
        for (std::size_t p = 0; p < parts; ++p) {
            parts_[p].records += counts[p];
        }
        oversized += counts[parts];
    }
    std::size_t begin = 0;
    for (TightPart& part : parts_) {
        part.begin = begin;
        begin += part.records;
    }
    oversized_begin_ = begin;
    oversized_end_ = begin + oversized;
    if (oversized_end_ >= TightPart::kSeeFirst) { throw std::bad_alloc(); }
    // Goes block by block: the counts of one list lie far apart in memory.
    for (TightPart& part : parts_) {
        part.first_reference =
            static_cast<std::uint32_t>(part.begin); // where the next block writes
    }
    auto next_oversized = static_cast<std::uint32_t>(oversized_begin_);
    for (std::size_t block = 0; block < blocks; ++block) {
        std::uint32_t* const counts = in_block_.data() + block * lists;
        for (std::size_t p = 0; p < parts; ++p) {
            const std::uint32_t here = counts[p];
            counts[p] = parts_[p].first_reference;
            parts_[p].first_reference += here;
        }
        const std::uint32_t here = counts[parts];
        counts[parts] = next_oversized;
        next_oversized += here;
    }
}

/// Walks over the nodes above the parts, and assigns nodes and references to them and to the parts:
/// in the order of that walk, and of the walks over the parts.
void TightBuild::place_nodes(const TightTree& tree) {
    struct Stop {
        std::uint32_t node, turn;
        unsigned level;
    };
    std::array<Stop, 3 * kMostParting + 1> stack;
    std::size_t waiting = 0;
    // Sums of the parts' counts, the root first.
    std::array<std::uint64_t, TightPart::cells_for(kMostParting)> sums{};
    const auto level_of_sums = [&](unsigned l) {
        return sums.data() + TightPart::cells_for(l) - (std::size_t{1} << 2 * l);
    };
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        level_of_sums(parting_)[p] = parts_[p].count_of_root();
        parts_[p].listed = false;
    }
    for (unsigned l = parting_; l-- > 0;) {
        for (std::size_t n = 0; n < std::size_t{1} << 2 * l; ++n) {
            const std::uint64_t* const below = level_of_sums(l + 1) + 4 * n;
            level_of_sums(l)[n] = below[0] + below[1] + below[2] + below[3];
        }
    }
    top_nodes_.clear();
    top_leaves_.clear();
    std::size_t block = 1;
    references_ = 0;
    for (Stop at{0, 0, 0};;) {
        const std::uint64_t count = level_of_sums(at.level)[at.turn];
        if (references_ + count >= TightPart::kSeeFirst) { throw std::bad_alloc(); }
        if (at.level == parting_) {
            TightPart& part = parts_[at.turn];
            part.listed = true;
            part.node = at.node;
            part.first_block = static_cast<std::uint32_t>(block);
            part.first_reference = static_cast<std::uint32_t>(references_);
            block += part.inner;
            references_ += part.references;
        } else if (count > tree.split_above) {
            const auto first = static_cast<std::uint32_t>(4 * block++);
            top_nodes_.push_back({at.node, first});
            for (std::uint32_t which = 4; which-- > 0;) {
                stack[waiting++] = {first + which, 4 * at.turn + which, at.level + 1};
            }
        } else {
            const unsigned further = 2 * (parting_ - at.level);
            top_leaves_.push_back({at.node, static_cast<std::uint32_t>(count), references_,
                                   std::size_t{at.turn} << further,
                                   std::size_t{at.turn + 1} << further});
            references_ += count;
        }
        if (waiting == 0) { break; }
        at = stack[--waiting];
    }
    inner_ = block - 1;
}

void TightBuild::fill(TightTree& tree, const TightElements& crowd, Executor& executor,
                      LoopClaims& claims) noexcept {
    tree.clear_unwritten(inner_ + 1, references_);
    TightReference* const all = references_ == 0 ? nullptr : &tree.references[0];
    if (parting_ == 0) {
        const auto range_of = [&](std::size_t id) {
            return tree.lattice.range(crowd.cover_of_agent(static_cast<Id>(id)));
        };
        parts_[0].fill(tree, all, TightAgents{crowd.bound(), range_of});
    } else {
        for (const TopNode& top : top_nodes_) {
            tree.node(top.node) = {top.first, TightNode::kInner};
        }
        finish_blocks(
            executor, parts_.size() + top_leaves_.size(),
            [&](std::size_t b) {
                if (b >= parts_.size()) {
                    fill_top_leaf(tree, all, top_leaves_[b - parts_.size()]);
                } else if (parts_[b].listed) {
                    parts_[b].fill(tree, all, records_of(parts_[b]));
                }
            },
            claims, LoopCost::of(crowd.bound(), kWriteNs));
        for (std::size_t r = oversized_begin_; r < oversized_end_; ++r) {
            tree.add_oversized(records_[r].id);
        }
    }
    give_back(tree);
    for (const TightPart& part : parts_) {
        part.split_crowded(tree, crowd);
    }
}

/// Lists each element of the leaf's parts once, in the order of ids.
void TightBuild::fill_top_leaf(TightTree& tree, TightReference* all,
                               const TopLeaf& leaf) const noexcept {
    TightReference* const list = all + leaf.reference;
    std::size_t count = 0;
    for (std::size_t p = leaf.part; p < leaf.past; ++p) {
        for (std::size_t r = parts_[p].begin; r < parts_[p].begin + parts_[p].records; ++r) {
            list[count++] = {TightTree::kNone, records_[r].id};
        }
    }
    std::sort(list, list + count, [](const TightReference& a, const TightReference& b) {
        return a.element < b.element;
    });
    count =
        static_cast<std::size_t>(std::unique(list, list + count,
                                             [](const TightReference& a, const TightReference& b) {
                                                 return a.element == b.element;
                                             }) -
                                 list);
    std::fill(list + count, list + leaf.count, TightReference{TightTree::kNone, kNoId});
    for (std::size_t i = 0; i + 1 < count; ++i) {
        list[i].next = static_cast<std::uint32_t>(leaf.reference + i + 1);
    }
    tree.node(leaf.node) = {count == 0 ? TightTree::kNone
                                       : static_cast<std::uint32_t>(leaf.reference),
                            static_cast<std::int32_t>(count)};
}

/// Gives back the references that no list needs, in the order of the nodes, as a tree of one part
/// does.
void TightBuild::give_back(TightTree& tree) const noexcept {
    const auto give_back_of = [&](const TightNode& leaf) {
        if (!leaf.is_leaf() || leaf.count == 0) { return; }
        for (std::size_t r = leaf.first + static_cast<std::size_t>(leaf.count);
             r < references_ && tree.references[static_cast<std::uint32_t>(r)].element == kNoId;
             ++r) {
            tree.references.remove(static_cast<std::uint32_t>(r));
        }
    };
    give_back_of(tree.node(0));
    auto top = top_nodes_.begin();
    for (const TightPart& part : parts_) {
        if (!part.listed || part.inner == 0) { continue; }
        for (; top != top_nodes_.end() && top->first < 4 * part.first_block; ++top) {
            for (std::uint32_t which = 0; which < 4; ++which) {
                give_back_of(tree.node(top->first + which));
            }
        }
        tree.references.use_again(part.holes);
    }
    for (; top != top_nodes_.end(); ++top) {
        for (std::uint32_t which = 0; which < 4; ++which) {
            give_back_of(tree.node(top->first + which));
        }
    }
}

} // namespace throng
