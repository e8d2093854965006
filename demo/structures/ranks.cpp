#include "ranks.hpp"

#include "look.hpp"

#include <throng/distributed/distributed_grid.hpp>
#include <throng/distributed/thread_ranks.hpp>
#include <throng/parallel/batch/batch.hpp>

#include <array>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace throng::demo {

namespace {

/// The data of one rank.
template <std::size_t Dim>
struct Member {
    explicit Member(Ranks& job) : ranks(job), crowd(job) {}

    Ranks& ranks;
    DistributedGrid<Dim> crowd;
    Share<Dim> mine{};
    bool has_share = false;
};

/// A job that lives for many frames, and makes the calls that it gets.
template <std::size_t Dim>
class Job {
public:
    using Call = FunctionRef<Status(Member<Dim>&)>;

    explicit Job(std::uint32_t ranks)
        : job_(ranks), statuses_(ranks), thread_([this] { live(); }) {}
    ~Job() {
        hand_over(nullptr);
        thread_.join();
    }
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    /// Makes a call on every rank. Returns the refusal of the lowest rank, or throws the exception
    /// that ended the job.
    Status run(Call call) {
        hand_over(&call);
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !handed_ || over_; });
        if (error_) { std::rethrow_exception(error_); }
        if (over_) { return {Cause::rank_lost}; }
        for (const Status& status : statuses_) {
            if (!status.ok()) { return status; }
        }
        return {};
    }

private:
    void hand_over(const Call* call) {
        const std::lock_guard lock(mutex_);
        call_ = call;
        handed_ = true;
        changed_.notify_all();
    }
    void live() noexcept {
        std::exception_ptr error;
        try {
            job_.run([this](Ranks& ranks) { obey(ranks); });
        } catch (...) { error = std::current_exception(); }
        const std::lock_guard lock(mutex_);
        error_ = error;
        over_ = true;
        changed_.notify_all();
    }
    /// Makes the calls on one rank, until the job ends.
    void obey(Ranks& ranks) {
        Member<Dim> member(ranks);
        const bool first = ranks.rank() == 0;
        for (;;) {
            if (first) {
                std::unique_lock lock(mutex_);
                changed_.wait(lock, [&] { return handed_; });
            }
            // The other ranks wait here for rank 0, and then make the call that was handed over.
            if (!meet(ranks) || call_ == nullptr) { return; }
            statuses_[ranks.rank()] = (*call_)(member);
            if (!meet(ranks)) { return; }
            if (first) {
                const std::lock_guard lock(mutex_);
                handed_ = false;
                changed_.notify_all();
            }
        }
    }
    static bool meet(Ranks& ranks) {
        std::array<std::uint64_t, 1> word{};
        return ranks.begin_agree(word).ok() && ranks.finish_agree(word).ok();
    }

    ThreadRanks job_;
    std::vector<Status> statuses_; ///< of each rank's last call
    std::mutex mutex_;
    std::condition_variable changed_;
    const Call* call_ = nullptr;
    bool handed_ = false; ///< whether some rank has yet to make the call
    bool over_ = false;
    std::exception_ptr error_;
    std::thread thread_; // last: it uses all other members
};

template <std::size_t Dim>
class RanksKeeper final : public Structure<Dim> {
public:
    using typename Structure<Dim>::NearVisitor;
    using typename Structure<Dim>::PairVisitor;

    RanksKeeper(std::uint32_t ranks, const People<Dim>& people, Executor& executor)
        : people_(&people), executor_(executor), bricks_(ranks), found_(ranks), job_(ranks) {
        must(job_.run([&](Member<Dim>& member) {
            DistributedSettings<Dim> settings;
            settings.bounds = people.world;
            settings.cell = Point<Dim>::all(people.cell);
            settings.reach = people.radius;
            settings.imbalance = 1.1f; // bricks follow the crowd
            settings.kind.own_half_extents = !people.half.empty();
            if (people.half.empty()) {
                settings.kind.common_half_extent = Point<Dim>::all(people.common_half);
            }
            return member.crowd.configure(settings);
        }));
    }

    [[nodiscard]] StructureKind kind() const noexcept override { return StructureKind::ranks; }

    Status update(const People<Dim>& people) override {
        people_ = &people;
        hues_.resize(people.size());
        const Status status = job_.run([&](Member<Dim>& member) {
            take_places(member);
            const Status updated = member.crowd.update(member.mine, executor_);
            if (updated.ok()) { tell(member); }
            return updated;
        });
        if (!status.ok()) { return status; }
        memory_ = {};
        return job_.run([&](Member<Dim>& member) { // after all owners are known
            for (std::size_t i = member.mine.owned(); i < member.mine.ids.size(); ++i) {
                hues_[member.mine.ids[i]] |= 1;
            }
            memory_.nodes += member.crowd.memory();
            memory_.staging += member.mine.memory();
            return Status{};
        });
    }

    Status count_neighbours(float radius, std::span<std::uint32_t> counts) override {
        return job_.run([&](Member<Dim>& member) {
            counts_.resize(member.mine.owned());
            const Status status = member.crowd.count_neighbours({radius}, counts_, executor_);
            for (std::size_t i = 0; i < counts_.size() && status.ok(); ++i) {
                counts[member.mine.ids[i]] = counts_[i];
            }
            return status;
        });
    }
    Status visit_neighbours(float radius, NearVisitor visitor) override {
        return job_.run([&](Member<Dim>& member) {
            const Status status = member.crowd.neighbours({radius}, hits_, executor_);
            for (std::size_t i = 0; i < member.mine.owned() && status.ok(); ++i) {
                visitor(name(member, static_cast<Id>(i)), names(member, hits_.of(i), first_));
            }
            return status;
        });
    }
    Status visit_seen(const Obstacles<Dim>& obstacles, float radius, NearVisitor visitor) override {
        return visit_neighbours(radius, [&](Id agent, std::span<const Id> near) {
            seen_.clear();
            for (const Id other : near) {
                if (see_each_other(obstacles, *people_, agent, other)) { seen_.push_back(other); }
            }
            visitor(agent, seen_);
        });
    }
    Status find(std::span<const Ball<Dim>> balls, Hits& hits) override {
        const Status status = job_.run([&](Member<Dim>& member) {
            Hits& found = found_[member.ranks.rank()];
            Batch<Dim> batch(executor_);
            const Status asked = batch.query(member.crowd.local(), balls, found);
            if (!asked.ok()) { return asked; }
            // Each rank answers only with agents that it owns, so no agent is found twice.
            std::size_t kept = 0, begin = 0;
            for (std::size_t q = 0; q < balls.size(); ++q) {
                const std::size_t end = static_cast<std::size_t>(found.offsets[q + 1]);
                for (std::size_t i = begin; i < end; ++i) {
                    if (found.ids[i] >= member.mine.owned()) { continue; }
                    found.ids[kept++] = name(member, found.ids[i]);
                }
                begin = end;
                found.offsets[q + 1] = kept;
            }
            return asked;
        });
        if (!status.ok()) { return status; }
        hits.offsets.assign(1, 0);
        hits.ids.clear();
        for (std::size_t q = 0; q < balls.size(); ++q) {
            for (const Hits& found : found_) {
                const std::span<const Id> part = found.of(q);
                hits.ids.insert(hits.ids.end(), part.begin(), part.end());
            }
            hits.offsets.push_back(hits.ids.size());
        }
        return {};
    }

    Found visit_pairs(PairVisitor visitor) override {
        std::size_t count = 0;
        const Status status = job_.run([&](Member<Dim>& member) {
            const Status asked = member.crowd.pairs(pairs_, executor_);
            if (!asked.ok()) { return asked; }
            visitor(names(member, {pairs_.first.data(), pairs_.count}, first_),
                    names(member, {pairs_.second.data(), pairs_.count}, second_));
            count += pairs_.count;
            return asked;
        });
        return {count, status};
    }

    std::optional<Status> steer(const Flock&, float) override { return std::nullopt; }
    std::optional<Status> steer(const Walkers&, float) override { return std::nullopt; }

    void visit_cells(IndexCellVisitor<Dim> visitor) const override {
        for (const IndexCell<Dim>& brick : bricks_) {
            if (!visitor(brick)) { return; }
        }
    }
    [[nodiscard]] Brushed ask(const Brush&) const override { return {}; }
    [[nodiscard]] MemoryUse memory() const noexcept override { return memory_; }
    [[nodiscard]] std::span<const std::uint8_t> hues() const noexcept override { return hues_; }

private:
    static Id name(const Member<Dim>& member, Id local) noexcept {
        return static_cast<Id>(member.mine.ids[local]);
    }
    static std::span<const Id> names(const Member<Dim>& member, std::span<const Id> local,
                                     std::vector<Id>& into) {
        into.resize(local.size());
        for (std::size_t i = 0; i < local.size(); ++i) {
            into[i] = name(member, local[i]);
        }
        return into;
    }

    /// Takes the present places of the people that the rank owns; at first, of an equal part of
    /// all.
    void take_places(Member<Dim>& member) {
        Share<Dim>& mine = member.mine;
        if (!std::exchange(member.has_share, true)) {
            for (std::size_t i = member.ranks.rank(); i < people_->size();
                 i += member.ranks.size()) {
                mine.ids.push_back(i);
                mine.positions.push_back(people_->at(i));
                if (!people_->half.empty()) {
                    mine.half_extents.push_back(Point<Dim>::all(people_->half_of(i)));
                }
            }
            return;
        }
        for (std::size_t i = 0; i < mine.owned(); ++i) {
            mine.positions[i] = people_->at(static_cast<std::size_t>(mine.ids[i]));
        }
    }

    /// Takes a rank's data for pictures: its agents and its brick.
    void tell(const Member<Dim>& member) {
        const std::uint32_t rank = member.ranks.rank();
        for (std::size_t i = 0; i < member.mine.owned(); ++i) {
            hues_[member.mine.ids[i]] = static_cast<std::uint8_t>(2 * rank);
        }
        const Brick<Dim> brick = member.crowd.brick();
        IndexCell<Dim>& cell = bricks_[rank];
        cell.count = static_cast<decltype(cell.count)>(member.mine.owned());
        for (std::size_t a = 0; a < Dim; ++a) {
            const auto edge = [&](std::uint32_t number) {
                return people_->world.lo[a] + static_cast<float>(number) * people_->cell;
            };
            cell.box.lo[a] = edge(brick.first[a]);
            cell.box.hi[a] = std::min(edge(brick.first[a] + brick.cells[a]), people_->world.hi[a]);
        }
    }

    const People<Dim>* people_;
    Executor& executor_;
    std::vector<IndexCell<Dim>> bricks_; ///< by rank
    std::vector<std::uint8_t> hues_;     ///< by agent
    MemoryUse memory_{};
    // Used by the rank that is running.
    std::vector<std::uint32_t> counts_;
    std::vector<Id> first_, second_, seen_;
    Hits hits_;
    Pairs pairs_;
    std::vector<Hits> found_; ///< by rank
    Job<Dim> job_;            // last: its ranks use all other members
};

} // namespace

template <std::size_t Dim>
std::unique_ptr<Structure<Dim>> make_ranks(std::uint32_t ranks, const People<Dim>& people,
                                           Executor& executor) {
    return std::make_unique<RanksKeeper<Dim>>(ranks, people, executor);
}

template std::unique_ptr<Structure<2>> make_ranks(std::uint32_t, const People<2>&, Executor&);
template std::unique_ptr<Structure<3>> make_ranks(std::uint32_t, const People<3>&, Executor&);

} // namespace throng::demo
