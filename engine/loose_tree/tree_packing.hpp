// Sorts agents along a curve and packs them into a tree. Internal to the engine.
#pragma once

#include "../../simd/kernels/tree/tree_pack.hpp"
#include "../core/executor.hpp"
#include "../core/progress.hpp"
#include "../core/status.hpp"
#include "../memory/checked_loop.hpp"
#include "../memory/vector.hpp"
#include "../memory/word_buffer.hpp"
#include "curve_sort.hpp"
#include "tree_store.hpp"

#include <cstddef>
#include <cstdint>

namespace throng {

/// How a packing divides its work, according to agents and threads. The tree does not depend on the
/// plan.
struct PackingPlan {
    std::size_t agents = 0;
    std::size_t block = 0, blocks = 0; ///< agents in each, and how many
    std::size_t bucket = 0;            ///< the least agents of a bucket, except the last
    std::uint32_t finished = 0;        ///< pages of a task that computes covers
    unsigned prefix_shift = 0;         ///< a prefix is a key without this many of its lowest bits
    std::size_t prefixes = 0;
    std::size_t buckets = 0; ///< runs of prefixes, each sorted in one go
    std::size_t groups = 0;  ///< groups of buckets, each sorted by one task
};

/// Scratch that a packing keeps for the next one.
template <std::size_t Dim>
struct PackingStaging {
    WordBuffer keys;                     ///< of agents, in their order
    WordBuffer records;                  ///< agents in buckets, a record each: key, fields
    WordBuffer scratch;                  ///< for sorting
    Vector<simd::Survey<Dim>> surveys;   ///< of each block
    Vector<std::uint32_t> counts;        ///< block by prefix
    Vector<std::uint32_t> prefix_agents; ///< agents of each prefix in all blocks
    Vector<std::uint32_t> cursors;       ///< block by bucket: where to write
    Vector<std::uint16_t> bucket_of;     ///< the bucket of each prefix
    Vector<std::size_t> bucket_begin;    ///< first record of each bucket, and the end
    Vector<std::size_t> group_scratch;   ///< where each group's part of the scratch begins
    LoopClaims claims;

    [[nodiscard]] std::size_t bytes() const noexcept;
};

/// One packing of agents of a `kind`. `ids` names the agents; if it is null, their indices do.
template <std::size_t Dim>
class TreePacking {
public:
    TreePacking(const Agents<Dim>& agents, const CrowdKind<Dim>& kind, const std::uint32_t* ids,
                TreeStore<Dim>& store, PackingStaging<Dim>& staging) noexcept;

    /// Does everything that can fail; leaves the contents of the store as they were, though maybe
    /// elsewhere in memory.
    Status prepare(Executor& executor, const Progress& progress = {});

    /// Replaces what is in the store. Cannot fail any more.
    void commit(Executor& executor) noexcept { (void)replace(executor, {}); }

    /// prepare() and commit() in one, for a store that may be left in any state when the call ends
    /// early.
    Status pack(Executor& executor, const Progress& progress);

private:
    using Fields = simd::Fields<Dim>;
    class Tiles;

    Status replace(Executor& executor, const Progress& progress);
    void plan_blocks(std::size_t threads) noexcept;
    void survey_block(std::size_t block) noexcept;
    void merge_surveys() noexcept;
    void choose_curve() noexcept;
    void count_block(std::size_t block) noexcept;
    Status cut_buckets(Executor& executor);
    void allocate();
    void scatter_block(std::size_t block) noexcept;
    template <std::size_t kFields>
    void scatter_fields(std::size_t block) noexcept;
    void sort_group(std::size_t group) noexcept;
    void sort_bucket(std::size_t bucket, std::uint32_t* scratch) noexcept;
    template <std::size_t kFields>
    void write_bucket(const CurveRecords& bucket, const std::uint32_t* order,
                      std::size_t first_slot) noexcept;
    void keep_curve() noexcept;
    void finish_block(std::size_t block) noexcept;

    /// The cost of `some` of the `blocks` of a loop over all agents.
    [[nodiscard]] LoopCost cost_of(std::size_t some, std::size_t blocks,
                                   double agent) const noexcept {
        return LoopCost::of(blocks == 0 ? 0 : plan_.agents * some / blocks, agent);
    }
    [[nodiscard]] std::size_t record_words() const noexcept { return fields_ + 1; }
    [[nodiscard]] std::size_t first_bucket(std::size_t group) const noexcept {
        return group * plan_.buckets / plan_.groups;
    }

    const Agents<Dim>& agents_;
    const std::uint32_t* const ids_;
    TreeStore<Dim>& store_;
    PackingStaging<Dim>& staging_;
    const CrowdKind<Dim> kind_;
    const std::uint32_t fields_;
    PackingPlan plan_;
    simd::Survey<Dim> survey_{};
    simd::CurveMap<Dim> curve_{};
    unsigned key_shift_ = 0;
    float leaf_edge_ = 0.0f;
    TreeLayout layout_;
};

extern template struct PackingStaging<2>;
extern template struct PackingStaging<3>;
extern template class TreePacking<2>;
extern template class TreePacking<3>;

} // namespace throng
