// A crowd that Python can change.
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

/// A budget of memory; null if `cap` is None.
[[nodiscard]] std::shared_ptr<CappedMemory> budget_of(py::handle cap);

/// The number of agents for which a crowd shall reserve memory.
[[nodiscard]] std::uint32_t reserved_from(py::handle agents);

/// `handle` is a tuple of three numbers, which the Python side made from a Handle.
[[nodiscard]] Handle handle_from(py::handle handle);

/// A crowd of Python's. Changes wait for each other, and never overlap a question: see Turnstile.
template <std::size_t Dim>
class OwnCrowd final : public Asked<Dim> {
public:
    OwnCrowd(py::handle bounds, py::handle cell, py::handle origin, py::handle periodic,
             py::handle memory_cap, const TeamKind& team);

    void update(py::handle positions, py::handle half_extents, py::handle groups);
    /// Makes the next frame of lists, on `executor`, to which the lists refer. Returns the threads.
    std::shared_ptr<Team> update_lists(LastingNeighbours<Dim>& lists, PatientExecutor& executor,
                                       py::handle positions, py::handle half_extents,
                                       py::handle groups);
    void set_statics(py::handle positions, py::handle half_extents, py::handle groups);
    void insert(std::uint32_t id, py::handle position, py::handle half_extent, py::handle group);
    void erase(std::uint32_t id);
    void move(std::uint32_t id, py::handle position);

    /// Makes erasures, then moves, then insertions: all of them or none. Arguments that are None
    /// have no edits.
    void edit(py::handle erased, py::handle moved, py::handle moved_positions, py::handle inserted,
              py::handle positions, py::handle half_extents, py::handle groups);
    /// Names agents by handles. One handle is a tuple (slot, generation, owner); several are rows
    /// of three numbers.
    [[nodiscard]] py::tuple add(py::handle position, py::handle half_extent, py::handle group);
    [[nodiscard]] py::object add_many(py::handle positions, py::handle half_extents,
                                      py::handle groups);
    void remove(const Handle& handle);
    void remove_many(py::handle handles);
    void move(const Handle& handle, py::handle position);
    /// Raises the error of a bad handle.
    void check_handle(const Handle& handle);
    [[nodiscard]] bool has_handle(const Handle& handle);
    /// None if no agent has this id, or if agents have no handles.
    [[nodiscard]] py::object handle_of(std::uint32_t id);
    [[nodiscard]] std::size_t slots();

    void reserve(std::uint32_t agents);
    void clear();
    void release_all();

    void load(const char* path);
    /// Accepts any object with the buffer protocol.
    void load_bytes(py::handle bytes);

    /// None if there is no cap.
    [[nodiscard]] py::object memory_cap() const {
        return budget_ ? py::object(py::int_(budget_->cap())) : py::none();
    }

private:
    [[nodiscard]] const Crowd<Dim>& crowd() const noexcept override { return crowd_; }

    /// Runs work(crowd, executor), which returns a Status, without the GIL and with no other call
    /// inside.
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

    std::shared_ptr<CappedMemory> budget_; ///< must outlive the crowd
    Crowd<Dim> crowd_;
};

/// One agent in Python's form; None for an extent or mask that it does not have.
template <std::size_t Dim>
struct OneAgent {
    OneAgent(py::handle position, py::handle half_extent, py::handle group);

    Numbers<Dim> place;
    std::optional<Point<Dim>> half_extent;
    std::optional<std::uint32_t> groups;
};
extern template struct OneAgent<2>;
extern template struct OneAgent<3>;

template <std::size_t Dim>
void define_own_crowd(py::module_& module, const char* name);
extern template void define_own_crowd<2>(py::module_&, const char*);
extern template void define_own_crowd<3>(py::module_&, const char*);

} // namespace throng::python
