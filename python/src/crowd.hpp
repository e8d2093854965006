// A crowd that Python changes.
#pragma once

#include "asked.hpp"
#include "refusal.hpp"

#include <throng/engine/agents/handles.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/memory/capped_memory.hpp>
#include <throng/parallel/frames/lasting_neighbours.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace throng::python {

/// A budget of memory; null where `cap` is None.
[[nodiscard]] std::shared_ptr<CappedMemory> budget_of(py::handle cap);

/// How many agents a crowd is to take memory for.
struct Reserved {
    std::uint32_t agents;

    [[nodiscard]] static Reserved from(py::handle agents);
};

/// A tuple of three numbers; the Python side has made it of a Handle.
struct GivenHandle : Handle {
    [[nodiscard]] static GivenHandle from(py::handle handle);
};

/// Changes come one after another, and never during a question: see Turnstile.
template <std::size_t Dim>
class OwnCrowd final : public Asked<Dim> {
public:
    explicit OwnCrowd(const Keywords& world);

    void update(py::handle positions, py::handle half_extents, py::handle groups);
    /// The same, with names[i] for agent i.
    void update_ids(py::handle positions, py::handle half_extents, py::handle groups,
                    py::handle names);
    void update_handles(py::handle positions, py::handle half_extents, py::handle groups,
                        py::handle names);
    /// The next frame of lists, on `executor`, from which they borrow. Returns the threads.
    std::shared_ptr<Team> update_lists(LastingNeighbours<Dim>& lists, PatientExecutor& executor,
                                       py::handle positions, py::handle half_extents,
                                       py::handle groups);
    void set_statics(py::handle positions, py::handle half_extents, py::handle groups);
    void insert(GivenId id, py::handle position, py::handle half_extent, py::handle group);
    void erase(GivenId id) {
        change([&](auto& crowd, auto&) { return crowd.erase(id.id); });
    }
    void move(GivenId id, py::handle position);
    /// Moves the agents that names[i] name, all of them or none.
    void move_ids(py::handle names, py::handle positions);
    void move_handles(py::handle names, py::handle positions);

    /// Erasures, then moves, then insertions: all of these edits, or no edit. Arguments that are
    /// None have no edits.
    void edit(py::handle erased, py::handle moved, py::handle moved_positions, py::handle inserted,
              py::handle positions, py::handle half_extents, py::handle groups);
    /// Names agents by handles. One handle is a tuple (slot, generation, owner), several are rows
    /// of three numbers.
    [[nodiscard]] py::tuple add(py::handle position, py::handle half_extent, py::handle group,
                                py::handle key);
    [[nodiscard]] py::object add_many(py::handle positions, py::handle half_extents,
                                      py::handle groups, py::handle keys);
    void set_key(const GivenHandle& handle, py::handle key);
    void set_keys(py::handle handles, py::handle keys);
    [[nodiscard]] std::uint64_t key_of(GivenId id) {
        return this->look([&](const auto& crowd) { return crowd.key_of(id.id); });
    }
    /// Writes the keys of these ids to `out`.
    void keys(py::handle ids, py::handle out);
    void remove(const GivenHandle& handle) {
        change([&](auto& crowd, auto&) { return crowd.remove(handle); });
    }
    void remove_many(py::handle handles);
    void move_handle(const GivenHandle& handle, py::handle position);
    /// Raises what is wrong with a handle.
    void check_handle(const GivenHandle& handle) {
        check(this->look([&](const auto& crowd) { return crowd.check(handle); }));
    }
    [[nodiscard]] bool has_handle(const GivenHandle& handle) {
        return this->look([&](const auto& crowd) { return crowd.check(handle).ok(); });
    }
    /// None if no agent has this id, or agents have no handles.
    [[nodiscard]] py::object handle_of(GivenId id);
    [[nodiscard]] std::size_t slots() {
        return this->look([](const auto& crowd) { return crowd.slots(); });
    }

    void reserve(const Reserved& reserved) {
        change(
            [&](auto& crowd, auto& executor) { return crowd.reserve(reserved.agents, executor); });
    }
    void clear() {
        change([](auto& crowd, auto&) {
            crowd.clear();
            return Status();
        });
    }
    void release_all() {
        this->release();
        change([](auto& crowd, auto&) {
            crowd.release_staging();
            return Status();
        });
    }

    void load(const char* path);
    /// Takes any object that speaks the buffer protocol.
    void load_bytes(py::handle bytes);

    /// None where there is no cap.
    [[nodiscard]] py::object memory_cap() const {
        return budget_ ? py::object(py::int_(budget_->cap())) : py::none();
    }

private:
    void update_named(py::handle positions, py::handle half_extents, py::handle groups,
                      const Names& names);
    void move_named(const Names& names, py::handle positions);
    [[nodiscard]] const Crowd<Dim>& crowd() const noexcept override { return crowd_; }

    /// Runs work(crowd, executor), which returns a Status, as the only call inside and without
    /// the GIL.
    template <class Work>
    void change(Work&& work) {
        const std::shared_ptr<Tools<Dim>> tools = this->workshop_->tools.lend();
        const std::shared_ptr<Team> team = this->workshop_->team;
        const Turnstile::Inside inside(this->turnstile_, Turnstile::As::writer);
        check(work_without_gil(team, *tools,
                               [&](Tools<Dim>& with) { return work(crowd_, with.executor); }));
    }
    template <class Load>
    void replace(Load&& load);

    std::shared_ptr<CappedMemory> budget_; ///< outlives the crowd
    Crowd<Dim> crowd_;
};

/// One agent, as Python gives it; None: it has no extent, or no groups, of its own.
template <std::size_t Dim>
struct OneAgent {
    OneAgent(py::handle position, py::handle half_extent, py::handle group);

    Numbers<Dim> place;
    std::optional<Point<Dim>> half_extent;
    std::optional<std::uint32_t> groups;
};

} // namespace throng::python
