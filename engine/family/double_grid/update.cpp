// Everything has moved: agents are sorted into bands of cells, and from each band, while it sits in
// the cache, into the buckets of its cells. Until commit() only staging memory is touched.
//
// The covers of the next frame are found while agents are counted, so the number of links that they
// need is known before anything is given up.
#include "double_grid.hpp"

#include "../../../simd/isa/isa.hpp"
#include "../../../simd/isa/slack.hpp"
#include "../../../simd/isa/words4.hpp"
#include "../../../simd/kernels/locate.hpp"
#include "../../agents/cell_map.hpp"
#include "../../agents/float_tile.hpp"
#include "../../agents/validation.hpp"
#include "../../core/profile_scope.hpp"
#include "state.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace throng {

namespace {

/// Bands of about this many agents fit the second cache, with their buckets. More than kBands bands
/// are more write streams than the first cache and the address cache can hold.
constexpr std::size_t kBandAgents = 2048;
constexpr std::size_t kBands = 2048;
constexpr std::size_t kBandCells = 4096; ///< and more cells gain nothing

/// 32-bit words of a cache line.
constexpr std::size_t kLineWords = 16;

/// Cells are laid out for this many agents each: three quarters of a bucket. Fewer make more cells
/// to list and to go through, more make more chains. Of 4, 6, 8, 9, 10, 12 and 14 a frame took
/// longest with 4, twice as long as with 12; from 10 on there was no difference.
constexpr double kCellAgents = 12.0;

/// One update of one grid, step by step, for agents of kFields fields.
template <std::size_t Dim, class State, std::size_t kFields>
class Update {
public:
    Update(const Agents<Dim>& agents, State& state) noexcept
        : agents_(agents), kind_(kind_of(agents)), state_(state), staging_(state.staging),
          map_(cell_map(state.shape)), count_(agents.positions.count) {
        const std::size_t cells = state.cells.size();
        const auto sparse = [&] {
            return (std::uint64_t{count_} << shift_) < std::uint64_t{kBandAgents} * cells;
        };
        while (((cells - 1) >> shift_) + 1 > kBands ||
               (sparse() && std::size_t{1} << shift_ < std::min(cells, kBandCells))) {
            ++shift_;
        }
        bands_ = ((cells - 1) >> shift_) + 1;
    }

    /// Everything that can fail, on staging alone.
    Status prepare() {
        staging_.keys.reserve(count_ + simd::kSlack);
        staging_.records.reserve(count_ * kRecord + kLineWords);
        staging_.cursors.reserve(std::size_t{1} << shift_);
        staging_.cells.resize(state_.cells.size());
        staging_.band_begin.assign(bands_ + 1, 0);
        if (!count() || !measure()) { return check_agents(agents_); } // names the first fault
        scatter();
        for (std::size_t band = 0; band < bands_; ++band) {
            cover_band(band);
        }
        state_.agents.reserve(buckets_, kind_);
        state_.tight.reserve(links_);
        return {};
    }

    /// Fills the buckets. Cannot fail any more.
    void commit() noexcept {
        state_.agents.configure(kind_);
        state_.tight.clear();
        state_.slack.clear();
        for (std::size_t band = 0; band < bands_; ++band) {
            fill_band(band);
        }
        std::swap(state_.cells, staging_.cells);
        state_.count = count_;
        state_.max_half_extent = max_half_extent_;
        state_.slots_noted = false;
    }

private:
    static constexpr std::size_t kRecord = kFields + 1;
    static constexpr bool kOwnExtents = kFields >= 2 * Dim + 1;
    static constexpr bool kGroups = kFields == Dim + 2 || kFields == 2 * Dim + 2;

    /// Finds the cell of every agent, and how many fall in each band. False if an index cannot hold
    /// one of them.
    bool count() noexcept {
        bool sound = true;
        std::array<FloatTile, Dim> tiles;
        std::array<std::uint32_t, kTile + simd::kSlack> rows;
        std::size_t* const counts = staging_.band_begin.data() + 1;
        for (std::size_t first = 0; first < count_; first += kTile) {
            const std::size_t count = std::min(kTile, count_ - first);
            const float* axis[Dim];
            for (std::size_t a = 0; a < Dim; ++a) {
                axis[a] = tiles[a].read(agents_.positions.values(a), first, count);
            }
            std::uint32_t* const keys = staging_.keys.data() + first;
            sound = simd::locate_rows(map_, axis, count, kLargest, rows.data()) && sound;
            simd::locate_cells(map_, axis[0], count, keys);
            for (std::size_t i = 0; i < count; ++i) {
                keys[i] += rows[i] * map_.cells[0];
                ++counts[keys[i] >> shift_];
            }
        }
        for (std::size_t band = 0; band < bands_; ++band) {
            counts[band] += staging_.band_begin[band];
        }
        return sound;
    }

    /// The largest half extents; false if one is no extent.
    bool measure() noexcept {
        max_half_extent_ = kind_.common_half_extent;
        bool sound = true;
        for (std::size_t a = 0; kOwnExtents && a < Dim; ++a) {
            const ValueView<float> extents = agents_.half_extents.values(a);
            float largest = 0.0f;
            for (std::size_t i = 0; i < count_; ++i) {
                const float h = extents[i];
                sound = sound && h >= 0.0f && h <= kLargest;
                largest = h > largest ? h : largest;
            }
            max_half_extent_[a] = largest;
        }
        return sound;
    }

    /// Copies the agents to their bands, as records that lie in one piece: one write stream a band.
    void scatter() noexcept {
        std::array<std::size_t, kBands> cursors;
        for (std::size_t band = 0; band < bands_; ++band) {
            cursors[band] = staging_.band_begin[band] * kRecord;
        }
        std::array<FloatTile, Dim> tiles;
        std::array<std::uint32_t, kTile> keys, bands;
        const auto in_band = static_cast<std::uint32_t>((std::uint64_t{1} << shift_) - 1);
        for (std::size_t first = 0; first < count_; first += kTile) {
            const std::size_t count = std::min(kTile, count_ - first);
            const float* axis[Dim];
            for (std::size_t a = 0; a < Dim; ++a) {
                axis[a] = tiles[a].read(agents_.positions.values(a), first, count);
            }
            for (std::size_t i = 0; i < count; ++i) {
                const std::uint32_t key = staging_.keys.data()[first + i];
                keys[i] = key & in_band;
                bands[i] = key >> shift_;
            }
            std::size_t i = 0;
            if constexpr (kFields == Dim + 1) {
                // With two axes a record is key, x, y and id: four words. With three, the key goes
                // alone.
                for (; i + 4 <= count; i += 4) {
                    const auto id = static_cast<std::uint32_t>(first + i);
                    std::array<simd::Words4, 4> quad;
                    std::size_t q = 0;
                    if constexpr (Dim == 2) { quad[q++] = simd::load_words4(keys.data() + i); }
                    for (std::size_t a = 0; a < Dim; ++a) {
                        quad[q++] = simd::load_words4(axis[a] + i);
                    }
                    quad[q] = simd::Words4{id, id + 1, id + 2, id + 3};
                    simd::transpose(quad[0], quad[1], quad[2], quad[3]);
                    for (std::size_t k = 0; k < 4; ++k) {
                        std::uint32_t* const record = next_record(cursors[bands[i + k]]);
                        if constexpr (Dim == 3) { record[0] = keys[i + k]; }
                        simd::store_words4(record + (Dim == 3 ? 1 : 0), quad[k]);
                    }
                }
            }
            for (; i < count; ++i) {
                std::uint32_t* record = next_record(cursors[bands[i]]);
                *record++ = keys[i];
                for (std::size_t a = 0; a < Dim; ++a) {
                    *record++ = std::bit_cast<std::uint32_t>(axis[a][i]);
                }
                *record++ = static_cast<std::uint32_t>(first + i);
                for (std::size_t a = 0; kOwnExtents && a < Dim; ++a) {
                    *record++ =
                        std::bit_cast<std::uint32_t>(agents_.half_extents.values(a)[first + i]);
                }
                if constexpr (kGroups) { *record = agents_.groups[first + i]; }
            }
        }
    }

    /// Where a band's next record goes.
    std::uint32_t* next_record(std::size_t& cursor) const noexcept {
        std::uint32_t* const record = staging_.records.data() + cursor;
        cursor += kRecord;
        __builtin_prefetch(record + kLineWords, 1); // the line that this band writes next
        return record;
    }

    /// What the cells of a band will hold: the number of agents, and their covers.
    void cover_band(std::size_t band) noexcept {
        LooseCell<Dim>* const cells = staging_.cells.data() + (band << shift_);
        const std::size_t count = cells_of(band);
        for (std::size_t c = 0; c < count; ++c) {
            cells[c] = LooseCell<Dim>::empty();
            cells[c].head = 0;
        }
        const std::uint32_t* const end = record_of(band + 1);
        for (const std::uint32_t* record = record_of(band); record != end; record += kRecord) {
            LooseCell<Dim>& cell = cells[record[0]];
            ++cell.head;
            cell.cover = united(cell.cover, covered_by(record));
        }
        for (std::size_t c = 0; c < count; ++c) {
            LooseCell<Dim>& cell = cells[c];
            if (cell.head == 0) { continue; }
            if constexpr (!kOwnExtents) {
                // Rounding keeps the order, so the outermost agents decide.
                cell.cover.lo = cover_of(cell.cover.lo, kind_.common_half_extent).lo;
                cell.cover.hi = cover_of(cell.cover.hi, kind_.common_half_extent).hi;
            }
            buckets_ += buckets_for(cell.head);
            const CoarseRange<Dim> range = state_.range_of(cell.cover);
            const std::size_t level = state_.tight.level_of(range);
            links_ += state_.tight.cells_in(state_.tight.on_level(level, range));
        }
    }

    /// If all agents have one size, only the centre: the extent is added once all are there.
    [[nodiscard]] static Box<Dim> covered_by(const std::uint32_t* record) noexcept {
        const auto point_at = [&](std::size_t field) {
            Point<Dim> point;
            for (std::size_t a = 0; a < Dim; ++a) {
                point[a] = std::bit_cast<float>(record[field + a]);
            }
            return point;
        };
        if constexpr (kOwnExtents) { return cover_of(point_at(1), point_at(2 + Dim)); }
        return Box<Dim>::at(point_at(1));
    }

    /// Fills consecutive buckets in the order of cells; agents of a cell are in the order of ids.
    void fill_band(std::size_t band) noexcept {
        constexpr std::uint32_t kRoom = BucketStore<Dim>::kRoom;
        LooseCell<Dim>* const cells = staging_.cells.data() + (band << shift_);
        std::uint32_t* const cursors = staging_.cursors.data();
        const std::size_t count = cells_of(band);
        for (std::size_t c = 0; c < count; ++c) {
            LooseCell<Dim>& cell = cells[c];
            const std::uint32_t agents = cell.head;
            cell.head = kNoBucket;
            if (agents == 0) { continue; }
            const std::uint32_t first = state_.agents.take(buckets_for(agents));
            cursors[c] = first * kRoom;
            for (std::uint32_t left = agents, b = first; left > 0; ++b) {
                const std::uint32_t here = std::min(left, kRoom);
                // They will be written in no order, so they should be in the cache by then.
                for (std::size_t f = 0; f < kFields; ++f) {
                    __builtin_prefetch(state_.agents.words(b) + f * kRoom, 1);
                }
                state_.agents.link(b, cell.head, here);
                cell.head = b;
                left -= here;
            }
            state_.tight.link(static_cast<std::uint32_t>((band << shift_) + c),
                              state_.range_of(cell.cover));
        }
        std::uint32_t* const words = state_.agents.words(0);
        const std::uint32_t* const end = record_of(band + 1);
        for (const std::uint32_t* record = record_of(band); record != end; record += kRecord) {
            const std::uint32_t slot = cursors[record[0]]++;
            std::uint32_t* const to =
                words + std::size_t{slot / kRoom} * (kRoom * kFields) + slot % kRoom;
            for (std::size_t f = 0; f < kFields; ++f) {
                to[f * kRoom] = record[1 + f];
            }
        }
    }

    [[nodiscard]] static std::uint32_t buckets_for(std::uint32_t agents) noexcept {
        constexpr std::uint32_t kRoom = BucketStore<Dim>::kRoom;
        return agents / kRoom + (agents % kRoom != 0 ? 1 : 0);
    }
    [[nodiscard]] const std::uint32_t* record_of(std::size_t band) const noexcept {
        return staging_.records.data() + staging_.band_begin[band] * kRecord;
    }
    [[nodiscard]] std::size_t cells_of(std::size_t band) const noexcept {
        return std::min(std::size_t{1} << shift_, state_.cells.size() - (band << shift_));
    }

    const Agents<Dim>& agents_;
    const CrowdKind<Dim> kind_;
    State& state_;
    DoubleGridStaging<Dim>& staging_;
    const simd::CellMap<Dim> map_;
    const std::size_t count_;
    unsigned shift_ = 0; ///< from cells to bands
    std::size_t bands_ = 1;
    Point<Dim> max_half_extent_{};
    std::size_t buckets_ = 0, links_ = 0;
};

/// The size of cells for a crowd: room for kCellAgents each over the bounds, and no less than a
/// half extent of most.
template <std::size_t Dim>
Point<Dim> cell_for(const Agents<Dim>& agents, const Box<Dim>& bounds) noexcept {
    const auto count = static_cast<double>(agents.positions.count);
    double least = 0.0;
    for (std::size_t a = 0; a < Dim; ++a) {
        double half = static_cast<double>(agents.common_half_extent[a]) * count;
        if (kind_of(agents).own_half_extents) {
            half = 0.0;
            for (std::size_t i = 0; i < agents.positions.count; ++i) {
                half += static_cast<double>(agents.half_extents.values(a)[i]);
            }
        }
        least = std::max(least, half / count);
    }
    // Axes on which the world is flatter than a cell have one cell, and give no room for more.
    double side = 0.0;
    std::array<bool, Dim> flat{};
    for (std::size_t round = 0; round < Dim; ++round) {
        double room = kCellAgents / count, axes = 0.0;
        for (std::size_t a = 0; a < Dim; ++a) {
            if (flat[a]) { continue; }
            room *= static_cast<double>(bounds.hi[a]) - static_cast<double>(bounds.lo[a]);
            axes += 1.0;
        }
        if (axes == 0.0) { break; }
        side = std::max(least, std::pow(room, 1.0 / axes));
        for (std::size_t a = 0; a < Dim; ++a) {
            flat[a] = static_cast<double>(bounds.hi[a]) - static_cast<double>(bounds.lo[a]) <= side;
        }
    }
    Point<Dim> cell;
    for (std::size_t a = 0; a < Dim; ++a) {
        // No finer than floats tell apart, and no more than an axis can have.
        const double width = static_cast<double>(bounds.hi[a]) - static_cast<double>(bounds.lo[a]);
        const double far = std::max(std::abs(static_cast<double>(bounds.lo[a])),
                                    std::abs(static_cast<double>(bounds.hi[a])));
        // A crowd at one place suggests no size.
        const double fine = side == 0.0 ? 1.0 : side;
        const double wide = std::max({fine, width * 0x1p-20, far * 0x1p-20, 1e-9});
        cell[a] = std::min(static_cast<float>(wide), kLargest);
    }
    return cell;
}

template <std::size_t kFields, std::size_t Dim, class State>
Status update_fields(const Agents<Dim>& agents, State& state) {
    Update<Dim, State, kFields> update(agents, state);
    const Status status = update.prepare();
    if (status.ok()) { update.commit(); }
    return status;
}

} // namespace

template <std::size_t Dim>
Status DoubleGrid<Dim>::update(const Agents<Dim>& agents, Executor& executor) {
    const ProfileScope profiled("DoubleGrid::update");
    if (active_isa() == Isa::none) { return {Cause::no_such_isa, Argument::environment}; }
    if (const Status views = check_views(agents); !views.ok()) { return views; }
    if (!state_->configured && agents.positions.count != 0) {
        if (const Status status = check_agents(agents); !status.ok()) { return status; }
        const Box<Dim> bounds = bounds_of(agents.positions);
        DoubleGrid fitted;
        Status status = fitted.configure(bounds, cell_for(agents, bounds), kind_of(agents));
        if (status.ok()) { status = fitted.update(agents, executor); }
        if (status.ok()) { *this = std::move(fitted); }
        return status;
    }
    switch (const CrowdKind<Dim> kind = kind_of(agents);
            simd::Fields<Dim>::count(kind.own_half_extents, kind.groups)) {
    case Dim + 1:
        return update_fields<Dim + 1>(agents, *state_);
    case Dim + 2:
        return update_fields<Dim + 2>(agents, *state_);
    case 2 * Dim + 1:
        return update_fields<2 * Dim + 1>(agents, *state_);
    default:
        return update_fields<2 * Dim + 2>(agents, *state_);
    }
}

template Status DoubleGrid<2>::update(const Agents<2>&, Executor&);
template Status DoubleGrid<3>::update(const Agents<3>&, Executor&);

} // namespace throng
