#include "zoltan_cuts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#include <zoltan.h>

namespace throng {

namespace {

constexpr std::uint64_t kFewestTiles = 1u << 18, kMostTiles = 1u << 22, kTilesOfRank = 256;

/// The cells of a grid in boxes of `step` cells, fewer at the upper ends.
template <std::size_t Dim>
struct Tiles {
    std::array<std::uint32_t, Dim> step{}, count{};
    std::array<double, Dim> cell{}; ///< side lengths of a cell
    std::array<std::uint32_t, Dim> cells{};
    std::vector<float> work; ///< of each tile; the first axis varies fastest

    Tiles(const GridShape<Dim>& shape, std::uint32_t ranks) : cells(shape.cells) {
        for (std::size_t a = 0; a < Dim; ++a) {
            cell[a] = 1.0 / double{shape.inverse_cell[a]};
        }
        step.fill(1);
        count = cells;
        const auto most = std::clamp(ranks * kTilesOfRank, kFewestTiles, kMostTiles);
        while (size() > most) { // leaves tiles that are about squares, or cubes
            std::size_t shortest = Dim;
            for (std::size_t a = 0; a < Dim; ++a) {
                if (count[a] < 2) { continue; }
                if (shortest == Dim || step[a] * cell[a] < step[shortest] * cell[shortest]) {
                    shortest = a;
                }
            }
            step[shortest] *= 2;
            count[shortest] = (cells[shortest] - 1) / step[shortest] + 1;
        }
    }
    [[nodiscard]] std::uint64_t size() const noexcept {
        return std::accumulate(count.begin(), count.end(), std::uint64_t{1},
                               [](std::uint64_t all, std::uint32_t n) { return all * n; });
    }
    void weigh(typename Cuts<Dim>::WorkOfLines lines_of) {
        work.assign(size(), 0.0f);
        std::vector<std::uint64_t> lines(cells[0]);
        for (std::size_t row = 0; row < work.size(); row += count[0]) {
            Brick<Dim> brick = {{}, cells};
            for (std::size_t a = 1, rest = row / count[0]; a < Dim; ++a) {
                brick.first[a] = static_cast<std::uint32_t>(rest % count[a]) * step[a];
                brick.cells[a] = std::min(step[a], cells[a] - brick.first[a]);
                rest /= count[a];
            }
            std::fill(lines.begin(), lines.end(), 0);
            lines_of(0, brick, lines);
            for (std::size_t x = 0; x < lines.size(); ++x) {
                work[row + x / step[0]] += static_cast<float>(lines[x]);
            }
        }
    }
    /// The place of a tile for Zoltan, mirrored: if the number of parts is odd, Zoltan's first half
    /// gets one part more than the second, and that of Cuts one less.
    void place(std::size_t tile, double* to) const noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            const std::uint32_t first = static_cast<std::uint32_t>(tile % count[a]) * step[a];
            to[a] = -cell[a] * (first + 0.5 * std::min(step[a], cells[a] - first));
            tile /= count[a];
        }
    }
};

template <std::size_t Dim>
const Tiles<Dim>& tiles_of(void* data) noexcept {
    return *static_cast<const Tiles<Dim>*>(data);
}

/// The box of one or more of Zoltan's parts.
template <std::size_t Dim>
struct PartBox {
    std::array<double, 3> lo, hi;

    void add(const PartBox& other) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            lo[a] = std::min(lo[a], other.lo[a]);
            hi[a] = std::max(hi[a], other.hi[a]);
        }
    }
};

/// Zoltan at work on tiles, in this process alone.
template <std::size_t Dim>
class ZoltanRun {
public:
    ZoltanRun(Tiles<Dim>& tiles, std::uint32_t parts) : zoltan_(Zoltan_Create(MPI_COMM_SELF)) {
        if (zoltan_ == nullptr) { return; }
        const std::string number = std::to_string(parts);
        const std::array<std::array<const char*, 2>, 6> settings = {
            {{"DEBUG_LEVEL", "0"},
             {"LB_METHOD", "RCB"},
             {"KEEP_CUTS", "1"},
             {"RETURN_LISTS", "NONE"},
             {"OBJ_WEIGHT_DIM", "1"},
             {"NUM_GLOBAL_PARTS", number.c_str()}}};
        for (const auto& [name, value] : settings) {
            fine(Zoltan_Set_Param(zoltan_, name, value));
        }
        fine(Zoltan_Set_Num_Obj_Fn(
            zoltan_,
            [](void* data, int* error) {
                *error = ZOLTAN_OK;
                return static_cast<int>(tiles_of<Dim>(data).work.size());
            },
            &tiles));
        fine(Zoltan_Set_Obj_List_Fn(
            zoltan_,
            [](void* data, int, int, ZOLTAN_ID_PTR names, ZOLTAN_ID_PTR, int, float* weights,
               int* error) {
                *error = ZOLTAN_OK;
                const std::vector<float>& work = tiles_of<Dim>(data).work;
                std::iota(names, names + work.size(), ZOLTAN_ID_TYPE{0});
                std::copy(work.begin(), work.end(), weights);
            },
            &tiles));
        fine(Zoltan_Set_Num_Geom_Fn(
            zoltan_,
            [](void*, int* error) {
                *error = ZOLTAN_OK;
                return static_cast<int>(Dim);
            },
            nullptr));
        fine(Zoltan_Set_Geom_Multi_Fn(
            zoltan_,
            [](void* data, int, int, int count, ZOLTAN_ID_PTR names, ZOLTAN_ID_PTR, int,
               double* places, int* error) {
                *error = ZOLTAN_OK;
                for (int i = 0; i < count; ++i) {
                    tiles_of<Dim>(data).place(names[i], places + Dim * static_cast<std::size_t>(i));
                }
            },
            &tiles));
    }
    ~ZoltanRun() { Zoltan_Destroy(&zoltan_); }
    ZoltanRun(const ZoltanRun&) = delete;
    ZoltanRun& operator=(const ZoltanRun&) = delete;

    /// Writes the boxes of all parts. False if Zoltan fails.
    [[nodiscard]] bool run(std::vector<PartBox<Dim>>& boxes) {
        int changes = 0, entries = 0, local = 0, come = 0, gone = 0;
        ZOLTAN_ID_PTR names[4] = {};
        int* numbers[4] = {};
        if (zoltan_ == nullptr || !fine_) { return false; }
        fine(Zoltan_LB_Partition(zoltan_, &changes, &entries, &local, &come, &names[0], &names[1],
                                 &numbers[0], &numbers[1], &gone, &names[2], &names[3], &numbers[2],
                                 &numbers[3]));
        for (std::size_t part = 0; part < boxes.size() && fine_; ++part) {
            auto& [lo, hi] = boxes[part];
            int axes = 0;
            fine(Zoltan_RCB_Box(zoltan_, static_cast<int>(part), &axes, &lo[0], &lo[1], &lo[2],
                                &hi[0], &hi[1], &hi[2]));
        }
        return fine_;
    }

private:
    void fine(int error) noexcept { fine_ = fine_ && (error == ZOLTAN_OK || error == ZOLTAN_WARN); }

    Zoltan_Struct* zoltan_;
    bool fine_ = true;
};

template <std::size_t Dim>
PartBox<Dim> joined(std::span<const PartBox<Dim>> boxes) noexcept {
    PartBox<Dim> all = boxes.front();
    for (const PartBox<Dim>& box : boxes) {
        all.add(box);
    }
    return all;
}

} // namespace

template <std::size_t Dim>
Status zoltan_cuts(const GridShape<Dim>& shape, std::uint32_t ranks,
                   typename Cuts<Dim>::WorkOfLines work, Cuts<Dim>& cuts) {
    int running = 0, finished = 0;
    float version = 0.0f;
    // Zoltan_Initialize() would start MPI.
    if (MPI_Initialized(&running) != MPI_SUCCESS || MPI_Finalized(&finished) != MPI_SUCCESS ||
        running == 0 || finished != 0 || Zoltan_Initialize(0, nullptr, &version) != ZOLTAN_OK) {
        return {Cause::rank_lost};
    }
    Tiles<Dim> tiles(shape, ranks);
    tiles.weigh(work);
    std::vector<PartBox<Dim>> boxes(ranks);
    if (ranks > 1 && !ZoltanRun<Dim>(tiles, ranks).run(boxes)) { return {Cause::rank_lost}; }
    // Tiles were mirrored, so the last part comes first.
    std::reverse(boxes.begin(), boxes.end());
    const auto choose = [&](const Brick<Dim>& brick, std::uint32_t first, std::uint32_t count) ->
        typename Cuts<Dim>::Cut {
            const std::span<const PartBox<Dim>> part = std::span(boxes).subspan(first, count);
            const PartBox<Dim> low = joined(part.first(count / 2));
            const PartBox<Dim> high = joined(part.subspan(count / 2));
            // The boxes of the halves touch in the plane of the cut, and overlap on the other axes.
            std::size_t axis = 0;
            for (std::size_t a = 1; a < Dim; ++a) {
                if (low.lo[a] - high.hi[a] > low.lo[axis] - high.hi[axis]) { axis = a; }
            }
            const double plane = std::round(-low.lo[axis] / tiles.cell[axis]);
            // Each half gets at least one line of cells, if there are two.
            const std::uint32_t rim = brick.cells[axis] > 1 ? 1 : 0;
            const double least = brick.first[axis] + rim;
            const double most = brick.first[axis] + brick.cells[axis] - rim;
            return {static_cast<std::uint32_t>(axis),
                    static_cast<std::uint32_t>(std::clamp(plane, least, most))};
        };
    cuts = Cuts<Dim>::by_choice(shape, ranks, choose);
    return {};
}

template Status zoltan_cuts(const GridShape<2>&, std::uint32_t, Cuts<2>::WorkOfLines, Cuts<2>&);
template Status zoltan_cuts(const GridShape<3>&, std::uint32_t, Cuts<3>::WorkOfLines, Cuts<3>&);

} // namespace throng
