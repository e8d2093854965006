// A crowd that Python changes.
#pragma once

#include "asked.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/memory/capped_memory.hpp>
#include <throng/parallel/frames/lasting_neighbours.hpp>

#include <cstddef>
#include <memory>

namespace throng::python {

/// A budget of memory; null where `cap` is None.
[[nodiscard]] std::shared_ptr<CappedMemory> budget_of(py::handle cap);

/// How many agents a crowd is to take memory for.
[[nodiscard]] std::uint32_t reserved_from(py::handle agents);

/// Changes come one after another, and never during a question: see Turnstile.
template <std::size_t Dim>
class OwnCrowd final : public Asked<Dim> {
public:
    OwnCrowd(py::handle bounds, py::handle cell, py::handle origin, py::handle periodic,
             py::handle memory_cap, const TeamKind& team);

    void update(py::handle positions, py::handle half_extents, py::handle groups);
    /// The next frame of lists, on `executor`, from which they borrow. Returns the threads.
    std::shared_ptr<Team> update_lists(LastingNeighbours<Dim>& lists, PatientExecutor& executor,
                                       py::handle positions, py::handle half_extents,
                                       py::handle groups);
    void set_statics(py::handle positions, py::handle half_extents, py::handle groups);
    void insert(std::uint32_t id, py::handle position, py::handle half_extent, py::handle group);
    void erase(std::uint32_t id);
    void move(std::uint32_t id, py::handle position);

    /// Erasures, then moves, then insertions: all of these edits, or no edit. Arguments that are
    /// None have no edits.
    void edit(py::handle erased, py::handle moved, py::handle moved_positions, py::handle inserted,
              py::handle positions, py::handle half_extents, py::handle groups);
    void reserve(std::uint32_t agents);
    void clear();
    void release_all();

    void load(const char* path);
    /// Takes any object that speaks the buffer protocol.
    void load_bytes(py::handle bytes);

    /// None where there is no cap.
    [[nodiscard]] py::object memory_cap() const {
        return budget_ ? py::object(py::int_(budget_->cap())) : py::none();
    }

private:
    [[nodiscard]] const Crowd<Dim>& crowd() const noexcept override { return crowd_; }

    /// Runs work(crowd, executor), which returns a Status, as the only call inside and without
    /// the GIL.
    template <class Work>
    void change(Work&& work);
    template <class Load>
    void replace(Load&& load);

    std::shared_ptr<CappedMemory> budget_; ///< outlives the crowd
    Crowd<Dim> crowd_;
};

template <std::size_t Dim>
void define_own_crowd(py::module_& module, const char* name);
extern template void define_own_crowd<2>(py::module_&, const char*);
extern template void define_own_crowd<3>(py::module_&, const char*);

} // namespace throng::python
