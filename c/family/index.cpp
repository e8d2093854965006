#include "index.hpp"

#include "../../engine/agents/validation.hpp"
#include "../agents.hpp"
#include "../arrays.hpp"
#include "../edits.hpp"
#include "../executor.hpp"
#include "../points.hpp"

#include <cstdint>
#include <memory>
#include <type_traits>

namespace throng::c {

namespace {

constexpr Names kIndexSettings = {.half_extents = "settings.common_half_extent"};
constexpr Names kIndexEdit = {.positions = "edit.position",
                              .half_extents = "edit.half_extent",
                              .groups = "edit.groups",
                              .edits = "edit.id"};

/// A host's settings. Refuses those that no structure accepts.
class IndexSettingsReader {
public:
    explicit IndexSettingsReader(const throng_index_settings* settings)
        : given_(read(settings, "settings")) {
        demand(given_.dimension == 2 || given_.dimension == 3, "settings.dimension");
        demand(given_.given <= (THRONG_GIVEN_BOUNDS | THRONG_GIVEN_CELL), "settings.given");
        demand(given_.kept <= (THRONG_KEPT_HALF_EXTENTS | THRONG_KEPT_GROUPS), "settings.kept");
        const bool has_cell = (given_.given & THRONG_GIVEN_CELL) != 0;
        if (has_cell && !has_bounds()) { refuse(THRONG_MISSING, "settings.given"); }
        demand(!has_cell || given_.structure == THRONG_DOUBLE_GRID, "settings.given");
        demand(has_cell == has_bounds() || given_.structure != THRONG_DOUBLE_GRID,
               "settings.given");
        demand(has_bounds() || given_.kept == 0, "settings.kept");
        for (std::uint32_t a = 0; a < 3; ++a) {
            demand(has_bounds() || given_.common_half_extent[a] == 0.0f,
                   "settings.common_half_extent");
            if (a < given_.dimension) { continue; }
            demand(given_.lo[a] == 0.0f, "settings.lo");
            demand(given_.hi[a] == 0.0f, "settings.hi");
            demand(given_.cell[a] == 0.0f, "settings.cell");
            demand(given_.common_half_extent[a] == 0.0f, "settings.common_half_extent");
        }
    }

    [[nodiscard]] std::unique_ptr<IndexObject> make() const {
        switch (given_.structure) {
        case THRONG_BRUTE_FORCE:
            return of_any_dimension<BruteForce>();
        case THRONG_DOUBLE_GRID:
            return of_any_dimension<DoubleGrid>();
        case THRONG_LOOSE_TREE:
            return of_any_dimension<LooseTree>();
        case THRONG_NESTED_QUADTREE:
            return in_the_plane<NestedIndex>();
        case THRONG_TIGHT_QUADTREE:
            return in_the_plane<TightQuadtree>();
        default:
            refuse(THRONG_WRONG_VALUE, "settings.structure");
        }
    }

private:
    static void demand(bool holds, const char* name) {
        if (!holds) { refuse(THRONG_WRONG_VALUE, name); }
    }
    [[nodiscard]] bool has_bounds() const noexcept {
        return (given_.given & THRONG_GIVEN_BOUNDS) != 0;
    }

    template <template <std::size_t> class Index>
    [[nodiscard]] std::unique_ptr<IndexObject> of_any_dimension() const {
        if (given_.dimension == 2) { return laid_out<Index<2>>(); }
        return laid_out<Index<3>>();
    }
    template <class Index>
    [[nodiscard]] std::unique_ptr<IndexObject> in_the_plane() const {
        if (given_.dimension != 2) { refuse(THRONG_WRONG_DIMENSION, "settings.dimension"); }
        return laid_out<Index>();
    }

    template <class Index>
    [[nodiscard]] std::unique_ptr<IndexObject> laid_out() const {
        constexpr std::size_t kDim = StructureFacts<Index>::kDim;
        Index index;
        if (has_bounds()) {
            const Box<kDim> bounds = {point_of<kDim>(given_.lo), point_of<kDim>(given_.hi)};
            const CrowdKind<kDim> kind = {(given_.kept & THRONG_KEPT_HALF_EXTENTS) != 0,
                                          (given_.kept & THRONG_KEPT_GROUPS) != 0,
                                          point_of<kDim>(given_.common_half_extent)};
            const Status status = configure(index, bounds, kind);
            if (!status.ok()) { throw Refused{status_of(status, kIndexSettings)}; }
        }
        return std::make_unique<IndexObject>(std::move(index));
    }

    template <class Index, std::size_t Dim>
    [[nodiscard]] Status configure(Index& index, const Box<Dim>& bounds,
                                   const CrowdKind<Dim>& kind) const {
        if constexpr (std::is_same_v<Index, DoubleGrid<Dim>>) {
            return index.configure(bounds, point_of<Dim>(given_.cell), kind);
        } else if constexpr (std::is_same_v<Index, BruteForce<Dim>>) {
            const Status status = check_bounds(bounds);
            return status.ok() ? index.configure(kind) : status;
        } else if constexpr (std::is_same_v<Index, TightQuadtree>) {
            return index.configure(bounds, {}, kind);
        } else {
            return index.configure(bounds, kind);
        }
    }

    throng_index_settings given_;
};

template <std::size_t Dim, class Index>
Status make_edit(Index& index, const Edit<Dim>& edit) {
    switch (edit.kind) {
    case Edit<Dim>::Kind::insert:
        return index.insert(edit.id, edit.agent);
    case Edit<Dim>::Kind::erase:
        return index.erase(edit.id);
    case Edit<Dim>::Kind::move:
        break;
    }
    return index.move(edit.id, edit.agent.position);
}

} // namespace

} // namespace throng::c

using namespace throng::c;

throng_status throng_index_create(const throng_index_settings* settings, throng_index** out) {
    return guarded([&] {
        const IndexSettingsReader given(settings);
        check_out(out, "out");
        hand_out(given.make(), *out);
        return kOk;
    });
}

throng_status throng_index_destroy(throng_index* index) { return end(index, "index"); }

throng_status throng_index_update(throng_index* index, const throng_agents* agents,
                                  throng_executor* executor) {
    return guarded([&] {
        IndexObject& object = look_up(index, "index");
        const AgentsReader given(agents, kAgents);
        const auto on = executor_for(executor);
        return object.change([&]<std::size_t Dim>(auto& changed) {
            return given.with_floats<Dim>(
                [&](const auto& all) { return changed.update(all, *on); });
        });
    });
}

throng_status throng_index_edit(throng_index* index, const throng_edit* edit) {
    return guarded([&] {
        IndexObject& object = look_up(index, "index");
        const auto given = array_of<const throng_edit>(edit, 1, "edit", "edit");
        return object.change([&]<std::size_t Dim>(auto& changed) {
            return status_of(make_edit(changed, edit_of<Dim>(given[0], "edit", 0)), kIndexEdit);
        });
    });
}

throng_status throng_index_tidy(throng_index* index) {
    return guarded([&] {
        look_up(index, "index").change([]<std::size_t Dim>(auto& changed) {
            if constexpr (requires { changed.refit(); }) { changed.refit(); }
            if constexpr (requires { changed.cleanup(); }) { changed.cleanup(); }
        });
        return kOk;
    });
}

throng_status throng_index_clear(throng_index* index) {
    return guarded([&] {
        look_up(index, "index").change([]<std::size_t Dim>(auto& changed) { changed.clear(); });
        return kOk;
    });
}

throng_status throng_index_count(const throng_index* index, throng_index_counts* out) {
    return guarded([&] {
        const IndexObject& object = look_up(index, "index");
        throng_index_counts counts = read(out, "out");
        object.ask([&]<std::size_t Dim, class Index>(const Index& counted) {
            const throng::MemoryUse use = counted.memory();
            counts.structure = StructureFacts<Index>::kName;
            counts.dimension = Dim;
            counts.agents = counted.size();
            counts.index_bytes = use.index();
            counts.staging_bytes = use.staging;
        });
        write(counts, out);
        return kOk;
    });
}

throng_status throng_index_contains(const throng_index* index, uint32_t id, uint32_t* found) {
    return guarded([&] {
        const IndexObject& object = look_up(index, "index");
        check_out(found, "found");
        *found = object.ask(
            [&]<std::size_t Dim>(const auto& asked) { return asked.contains(id) ? 1u : 0u; });
        return kOk;
    });
}
