#include "../checkpoint.hpp"

#include "checkpoint_files.hpp"
#include "state.hpp"

#include "../../engine/core/id.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace throng {

/// One call of save() or load(), on one rank.
template <std::size_t Dim>
class Checkpoint {
public:
    explicit Checkpoint(DistributedGrid<Dim>& crowd) noexcept
        : crowd_(crowd), state_(*crowd.state_), ranks_(state_.ranks) {}

    Status save(const Share<Dim>& mine, const char* folder) {
        const bool first = ranks_.rank() == 0;
        Status own = without_throwing([&] { return prepare(mine, folder); });
        Agreement agreement(ranks_);
        // Only the first rank knows the generation. The others give the largest word, so the
        // minimum of all words is the generation.
        const Status agreed = agreement.settle(state_.next_call(DistributedCall::save), own,
                                               first ? file_.generation : ~std::uint64_t{0});
        state_.refused_by = agreement.refused_by();
        if (!agreed.ok()) { return agreed; }
        file_.generation = index_.generation = agreement.word();
        own = without_throwing([&] { return file_.write(saved_, mine.owned_, mine.ghosts_); });
        const Status gathered = or_lost([&] {
            return ranks_.gather({&file_.agents, 1}, index_.agents);
        });
        if (!gathered.ok()) { return gathered; }
        const Status written = state_.settle(state_.next_call(DistributedCall::save), own);
        if (!written.ok()) { return give_up(written); }
        if (first) {
            own = without_throwing([&] { return index_.write(file_.folder); });
        }
        const Status named = state_.settle(state_.next_call(DistributedCall::save), own);
        if (!named.ok()) { return give_up(named); }
        if (first) {
            (void)without_throwing([&] {
                remove_other_files(file_.folder, file_.generation, ranks_.size());
                return Status{};
            });
        }
        return {};
    }

    Status load(Share<Dim>& mine, const char* folder, Executor& executor) {
        std::optional<DistributedGrid<Dim>> next;
        Status own = without_throwing([&] {
            next.emplace(ranks_);
            return open(mine, folder);
        });
        const Status opened = state_.settle(state_.next_call(DistributedCall::load), own);
        if (!opened.ok()) { return opened; }
        const Status same =
            state_.settle(state_.next_call(DistributedCall::load, index_.fingerprint()), Status{});
        if (!same.ok()) { return same; }
        own = without_throwing([&] { return read(mine); });
        Status status = state_.settle(state_.next_call(DistributedCall::load), own);
        if (status.ok()) {
            DistributedSettings<Dim> settings = {index_.bounds, index_.cell, index_.reach,
                                                 index_.kind, std::nullopt};
            settings.periodic = index_.periodic;
            if (state_.configured) {
                settings.question_bytes = state_.question_bytes;
                settings.imbalance = state_.imbalance;
                settings.most_agents = state_.most_agents;
            }
            status = next->configure(settings);
            if (status.ok()) { status = next->update(mine, executor); }
            state_.refused_by = next->refused_by();
        }
        if (!status.ok()) {
            for_each_array(mine, [](detail::ShareArray& array) { array.keep({}); });
            return status;
        }
        crowd_ = std::move(*next);
        return {};
    }

private:
    static constexpr Status kNoFile = {Cause::io_failed, Argument::file};

    template <class AnyShare, class Call>
    void for_each_array(AnyShare& mine, const Call& call) {
        mine.for_each_array(index_.kind.own_half_extents, index_.kind.groups, call);
    }
    /// The columns in the form in which the index has them.
    Vector<std::uint32_t> columns_of(const Share<Dim>& mine) const {
        Vector<std::uint32_t> columns;
        for (const auto& column : mine.columns_) {
            columns.push_back(static_cast<std::uint32_t>(column->bytes));
            columns.push_back(static_cast<std::uint32_t>(column->travels));
        }
        return columns;
    }

    /// Checks the share, and fills the index and what this rank will save, before any file is
    /// written. Rank 0 also makes the folder and chooses the number of the new checkpoint.
    Status prepare(const Share<Dim>& mine, const char* folder) {
        if (!state_.configured) { return {Cause::not_configured}; }
        if (folder == nullptr) { return kNoFile; }
        if (const Status status = mine.check(state_.kind); !status.ok()) { return status; }
        index_.bounds = state_.bounds;
        index_.cell = state_.cell;
        index_.reach = state_.reach;
        index_.kind = state_.kind;
        index_.periodic = state_.world.periodic;
        index_.columns = columns_of(mine);
        index_.agents.resize(ranks_.size());
        file_.folder = folder;
        file_.number = ranks_.rank();
        file_.agents = mine.ids.size() - mine.ghosts_;
        for_each_array(mine, [&](const detail::ShareArray& array) {
            saved_.push_back({array.now(), array.bytes});
        });
        if (ranks_.rank() != 0) { return {}; }
        std::error_code error;
        std::filesystem::create_directories(folder_of(file_.folder), error);
        if (error) { return kNoFile; }
        // Files of the old checkpoint must not be overwritten while it is the valid one.
        const std::uint64_t last = last_generation(file_.folder);
        if (last >= ~std::uint64_t{0} - 1) { return kNoFile; } // no room for another
        file_.generation = last + 1;
        return {};
    }

    /// Removes this rank's new file: the old checkpoint stays valid. After rank_lost the file stays
    /// too, since no rank knows which of the two checkpoints is valid.
    Status give_up(const Status& status) {
        if (status.cause == Cause::rank_lost) { return status; }
        (void)without_throwing([&] {
            file_.remove();
            return Status{};
        });
        return status;
    }

    Status open(const Share<Dim>& mine, const char* folder) {
        if (folder == nullptr) { return kNoFile; }
        if (!mine.ids.empty() || !mine.check({}).ok()) {
            return {Cause::count_mismatch, Argument::positions};
        }
        if (const Status status = index_.read(folder); !status.ok()) { return status; }
        const Vector<std::uint32_t> columns = columns_of(mine);
        const auto [other, own] = std::mismatch(index_.columns.begin(), index_.columns.end(),
                                                columns.begin(), columns.end());
        if (other != index_.columns.end() || own != columns.end()) {
            return {Cause::count_mismatch, Argument::columns,
                    static_cast<std::uint64_t>(own - columns.begin()) / 2};
        }
        file_.folder = folder;
        file_.generation = index_.generation;
        for_each_array(mine, [&](const detail::ShareArray& array) { file_.bytes += array.bytes; });
        return {};
    }

    /// Calls call(first, past) for the blocks that this rank reads, with file_ set to one file
    /// after another, until a call refuses. All ranks read about equally many blocks.
    template <class Call>
    Status for_each_part(const Call& call) {
        std::uint64_t all = 0;
        for (const std::uint64_t agents : index_.agents) {
            file_.agents = agents;
            all += file_.blocks();
        }
        const std::uint64_t begin = all * ranks_.rank() / ranks_.size();
        const std::uint64_t end = all * (ranks_.rank() + 1) / ranks_.size();
        std::uint64_t at = 0; // number of the file's first block among all blocks
        for (std::size_t number = 0; number < index_.agents.size(); ++number) {
            file_.number = number;
            file_.agents = index_.agents[number];
            const std::uint64_t first = std::max(begin, at),
                                past = std::min(end, at + file_.blocks());
            if (first < past) {
                if (const Status status = call(first - at, past - at); !status.ok()) {
                    return status;
                }
            }
            at += file_.blocks();
        }
        return {};
    }
    /// The number of agents in these blocks of file_.
    [[nodiscard]] std::size_t agents_in(std::uint64_t first, std::uint64_t past) const noexcept {
        return static_cast<std::size_t>(std::min(file_.agents, past * kCheckpointBlock) -
                                        first * kCheckpointBlock);
    }

    /// No rank reads a part of a file without agents. Such a file must be there all the same, and
    /// be empty; the ranks divide these checks among them.
    Status check_empty_files() {
        for (std::size_t number = ranks_.rank(); number < index_.agents.size();
             number += ranks_.size()) {
            if (index_.agents[number] != 0) { continue; }
            file_.number = number;
            file_.agents = 0;
            if (const Status status = file_.check_length(); !status.ok()) { return status; }
        }
        return {};
    }

    /// Reads this rank's blocks. Checks the lengths of files before taking memory for agents.
    Status read(Share<Dim>& mine) {
        std::size_t count = 0;
        Status status = for_each_part([&](std::uint64_t first, std::uint64_t past) {
            count += agents_in(first, past);
            return file_.check_length();
        });
        if (status.ok()) { status = check_empty_files(); }
        if (!status.ok()) { return status; }
        if (count > kMaxAgents) { return {Cause::too_many, Argument::positions}; }
        Vector<CheckpointArray<std::byte>> arrays;
        for_each_array(mine, [&](detail::ShareArray& array) {
            arrays.push_back({array.prepare(count), array.bytes});
        });
        status = for_each_part([&](std::uint64_t first, std::uint64_t past) {
            const Status done = file_.read(arrays, first, past);
            for (auto& array : arrays) {
                array.data += array.bytes * agents_in(first, past);
            }
            return done;
        });
        if (!status.ok()) { return status; }
        for_each_array(mine, [](detail::ShareArray& array) { array.commit(); });
        return {};
    }

    DistributedGrid<Dim>& crowd_;
    typename DistributedGrid<Dim>::State& state_;
    Ranks& ranks_;
    CheckpointIndex<Dim> index_;
    CheckpointFile file_;
    Vector<CheckpointArray<const std::byte>> saved_;
};

template <std::size_t Dim>
Status save(DistributedGrid<Dim>& crowd, const Share<Dim>& mine, const char* folder) {
    return Checkpoint<Dim>(crowd).save(mine, folder);
}

template <std::size_t Dim>
Status load(DistributedGrid<Dim>& crowd, Share<Dim>& mine, const char* folder, Executor& executor) {
    return Checkpoint<Dim>(crowd).load(mine, folder, executor);
}

template Status save(DistributedGrid<2>&, const Share<2>&, const char*);
template Status save(DistributedGrid<3>&, const Share<3>&, const char*);
template Status load(DistributedGrid<2>&, Share<2>&, const char*, Executor&);
template Status load(DistributedGrid<3>&, Share<3>&, const char*, Executor&);

} // namespace throng
