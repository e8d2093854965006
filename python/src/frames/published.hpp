// Crowds that are asked while they are updated.
#pragma once

#include "../crowd.hpp"

#include <throng/engine/crowd/published_crowd.hpp>

#include <cstddef>
#include <memory>

namespace throng::python {

/// A published frame, which does not change any more.
template <std::size_t Dim>
class Frame final : public Asked<Dim> {
public:
    Frame(std::shared_ptr<Workshop<Dim>> workshop, bool takes_doubles,
          std::shared_ptr<CappedMemory> budget, Snapshot<Crowd<Dim>> snapshot)
        : Asked<Dim>(std::move(workshop), takes_doubles), budget_(std::move(budget)),
          snapshot_(std::move(snapshot)) {}

    [[nodiscard]] std::uint64_t number() const noexcept { return snapshot_.frame(); }

private:
    [[nodiscard]] const Crowd<Dim>& crowd() const noexcept override { return *snapshot_; }

    std::shared_ptr<CappedMemory> budget_; ///< must outlive the crowd
    Snapshot<Crowd<Dim>> snapshot_;
};

/// A published crowd for Python. Updates wait for each other. Any thread can acquire frames without
/// waiting.
template <std::size_t Dim>
class Published {
public:
    Published(py::handle bounds, py::handle cell, py::handle origin, py::handle periodic,
              py::handle memory_cap, const TeamKind& team);

    void update(py::handle positions, py::handle half_extents, py::handle groups);
    void set_statics(py::handle positions, py::handle half_extents, py::handle groups);
    void reserve(std::uint32_t agents);
    /// Returns None before the first update.
    [[nodiscard]] std::unique_ptr<Frame<Dim>> acquire() const;
    [[nodiscard]] std::size_t frames();
    void shrink();
    [[nodiscard]] std::size_t threads() const noexcept { return workshop_->team->threads(); }
    [[nodiscard]] const char* executor() const noexcept { return name_of(workshop_->team->kind()); }

private:
    template <class Work>
    void change(Work&& work);
    [[nodiscard]] Doubles doubles() const noexcept {
        return takes_doubles_ ? Doubles::allowed : Doubles::no_origin;
    }

    std::shared_ptr<CappedMemory> budget_; ///< must outlive the frames
    std::shared_ptr<Workshop<Dim>> workshop_;
    bool takes_doubles_;
    Turnstile turnstile_;
    PublishedCrowd<Dim> crowd_;
};

template <std::size_t Dim>
void define_published(py::module_& module, const char* name, const char* frame_name);
extern template void define_published<2>(py::module_&, const char*, const char*);
extern template void define_published<3>(py::module_&, const char*, const char*);

} // namespace throng::python
