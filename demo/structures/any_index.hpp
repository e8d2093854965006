// A structure that answers for one agent at a time.
#pragma once

#include "../stage/names.hpp"
#include "ask.hpp"
#include "keeper.hpp"
#include "look.hpp"

#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

namespace throng::demo {

/// Keeps the first refusal among the questions of several threads.
class Refusals {
public:
    void note(const Status& status) {
        if (status.ok()) { return; }
        const std::lock_guard lock(mutex_);
        if (first_.ok()) { first_ = status; }
    }
    [[nodiscard]] Status first() const noexcept { return first_; }

private:
    std::mutex mutex_;
    Status first_{};
};

/// Any SpatialIndex. lay_out(index) prepares it for the people's world.
template <class Index, std::size_t Dim>
class AnyIndex final : public BesideWalls<Dim> {
public:
    using typename Structure<Dim>::NearVisitor;
    using typename Structure<Dim>::PairVisitor;

    template <class LayOut>
    AnyIndex(StructureKind kind, const People<Dim>& people, Executor& executor,
             const LayOut& lay_out)
        : BesideWalls<Dim>(kind, people, executor) {
        must(lay_out(index_));
    }

    Status update(const People<Dim>& people) override {
        this->people_ = &people;
        return index_.update(people.agents(), this->executor_);
    }

    Status count_neighbours(float radius, std::span<std::uint32_t> counts) override {
        return ask_everyone([&](Id agent) {
            const Found found = index_.count(around(agent, radius), others_than(agent));
            counts[agent] = static_cast<std::uint32_t>(found.count);
            return found.status;
        });
    }

    Status visit_neighbours(float radius, NearVisitor visitor) override {
        return ask_everyone([&](Id agent) {
            thread_local std::vector<Id> near;
            near.clear();
            const Found found = index_.visit(
                around(agent, radius),
                [](std::span<const Id> run) {
                    near.insert(near.end(), run.begin(), run.end());
                    return true;
                },
                others_than(agent));
            visitor(agent, near);
            return found.status;
        });
    }

    Status visit_seen(const Obstacles<Dim>& obstacles, float radius, NearVisitor visitor) override {
        return visit_neighbours(radius, [&](Id agent, std::span<const Id> near) {
            thread_local std::vector<Id> seen;
            seen.clear();
            for (const Id other : near) {
                if (see_each_other(obstacles, *this->people_, agent, other)) {
                    seen.push_back(other);
                }
            }
            visitor(agent, seen);
        });
    }
    Status find(std::span<const Ball<Dim>> balls, Hits& hits) override {
        return index_.query(balls, hits);
    }

    Found visit_pairs(PairVisitor visitor) override {
        return index_.visit_pairs([&](std::span<const Id> first, std::span<const Id> second) {
            visitor(first, second);
            return true;
        });
    }

    void visit_cells(IndexCellVisitor<Dim> visitor) const override { index_.visit_cells(visitor); }
    [[nodiscard]] Brushed ask(const Brush& brush) const override {
        return Asker<Index, Dim>(index_, this->walls_, *this->people_).ask(brush, this->kind());
    }
    [[nodiscard]] MemoryUse memory() const noexcept override {
        MemoryUse use = index_.memory();
        use.nodes += this->wall_memory();
        return use;
    }

private:
    [[nodiscard]] Ball<Dim> around(Id agent, float radius) const noexcept {
        return {this->people_->at(agent), radius};
    }
    [[nodiscard]] static Filter others_than(Id agent) noexcept { return {kAllGroups, agent}; }

    template <class Question>
    Status ask_everyone(const Question& question) {
        Refusals refusals;
        for_blocks(this->executor_, this->people_->size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                refusals.note(question(static_cast<Id>(i)));
            }
        });
        return refusals.first();
    }

    Index index_;
};

} // namespace throng::demo
