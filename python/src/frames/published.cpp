// Crowds that are asked while they are updated.
#include "../changes.hpp"
#include "../classes.hpp"
#include "../crowd.hpp"
#include "../edits.hpp"

#include <throng/engine/crowd/published_crowd.hpp>

#include <cstddef>
#include <memory>

namespace throng::python {

namespace {

/// A published frame, which no longer changes.
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

    std::shared_ptr<CappedMemory> budget_; ///< outlives the crowd
    Snapshot<Crowd<Dim>> snapshot_;
};

/// Updates wait for each other. Any thread acquires frames, and never waits.
template <std::size_t Dim>
class Published {
public:
    explicit Published(const Keywords& world)
        : budget_(budget_of(world["memory_cap"])),
          workshop_(std::make_shared<Workshop<Dim>>(TeamKind::from(world.all()))),
          takes_doubles_(!world["origin"].is_none()) {
        CrowdSettings<Dim> settings = settings_from<Dim>(world);
        settings.memory = budget_.get();
        check(crowd_.configure(settings));
        settings.cell.reset();
        check(world_.configure(settings));
    }

    void update(py::handle positions, py::handle half_extents, py::handle groups) {
        const AllAgents<Dim> all_agents(positions, half_extents, groups, doubles());
        change([&](PatientExecutor& executor) {
            return all_agents.give(
                [&](const auto& agents) { return crowd_.update(agents, executor); });
        });
    }
    void set_statics(py::handle positions, py::handle half_extents, py::handle groups) {
        const AllAgents<Dim> all_agents(positions, half_extents, groups, doubles());
        change([&](PatientExecutor& executor) {
            return all_agents.give(
                [&](const auto& statics) { return crowd_.set_statics(statics, executor); });
        });
    }
    void edit(py::handle erased, py::handle moved, py::handle moved_positions, py::handle inserted,
              py::handle positions, py::handle half_extents, py::handle groups) {
        const Edits<Dim> edits(erased, moved, moved_positions, inserted, positions, half_extents,
                               groups, doubles());
        change([&](PatientExecutor& executor) { return crowd_.edit(edits.all(world_), executor); });
    }
    void edit_statics(py::handle erased, py::handle moved, py::handle moved_positions,
                      py::handle inserted, py::handle positions, py::handle half_extents,
                      py::handle groups) {
        const Edits<Dim> edits(erased, moved, moved_positions, inserted, positions, half_extents,
                               groups, doubles());
        change([&](PatientExecutor&) { return crowd_.edit_statics(edits.all(world_)); });
    }
    void reserve(const Reserved& reserved) {
        change(
            [&](PatientExecutor& executor) { return crowd_.reserve(reserved.agents, executor); });
    }
    /// None before the first update.
    [[nodiscard]] std::unique_ptr<Frame<Dim>> acquire() const {
        Snapshot<Crowd<Dim>> snapshot = crowd_.acquire();
        if (!snapshot) { return nullptr; }
        return std::make_unique<Frame<Dim>>(workshop_, takes_doubles_, budget_,
                                            std::move(snapshot));
    }
    [[nodiscard]] std::size_t frames() {
        const Turnstile::Inside inside(turnstile_, Turnstile::As::reader);
        return crowd_.frames();
    }
    void shrink() {
        change([&](PatientExecutor&) {
            crowd_.shrink();
            return Status();
        });
    }
    [[nodiscard]] std::size_t threads() const noexcept { return workshop_->team->threads(); }
    [[nodiscard]] const char* executor() const noexcept { return name_of(workshop_->team->kind()); }

private:
    template <class Work>
    void change(Work&& work) {
        const std::shared_ptr<Tools<Dim>> tools = workshop_->tools.lend();
        const std::shared_ptr<Team> team = workshop_->team;
        const Turnstile::Inside inside(turnstile_, Turnstile::As::writer);
        check(work_without_gil(team, tools->executor, [&] { return work(tools->executor); }));
    }
    [[nodiscard]] Doubles doubles() const noexcept {
        return takes_doubles_ ? Doubles::allowed : Doubles::no_origin;
    }

    std::shared_ptr<CappedMemory> budget_; ///< outlives the frames
    std::shared_ptr<Workshop<Dim>> workshop_;
    bool takes_doubles_;
    Turnstile turnstile_;
    PublishedCrowd<Dim> crowd_;
    Crowd<Dim> world_; ///< without agents: tells where places in doubles are
};

template <std::size_t Dim>
void published_class(py::module_& module, const char* name, const char* frame_name) {
    py::class_<Frame<Dim>, Asked<Dim>>(module, frame_name, "A frame that was published.")
        .def("number", &Frame<Dim>::number);
    using Self = Published<Dim>;
    py::class_<Self>(module, name, "A crowd that is asked while it is updated.")
        .def(py::init<const Keywords&>())
        .def("update", &Self::update)
        .def("edit", &Self::edit)
        .def("edit_statics", &Self::edit_statics)
        .def("set_statics", &Self::set_statics)
        .def("reserve", &Self::reserve)
        .def("acquire", &Self::acquire)
        .def("frames", &Self::frames)
        .def("shrink", &Self::shrink)
        .def("threads", &Self::threads)
        .def("executor", &Self::executor);
}

} // namespace

void define_published(py::module_& module) {
    published_class<2>(module, "Published2", "Frame2");
    published_class<3>(module, "Published3", "Frame3");
}

} // namespace throng::python
