#include "frozen.hpp"

#include "../../archive/archive_numbers.hpp"
#include "../../grid/store/frozen.hpp"
#include "../../loose_tree/frozen.hpp"
#include "state.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace throng {

/// Writes and reads the slots of a handle table. A table that was read has a new number, so handles
/// that were given out before it was written are refused, and handle_of() returns the new ones.
template <>
struct FrozenIndex<HandleTable> {
    static void write(const HandleTable& table, ArchiveWriter& out) {
        NumbersOut numbers;
        name_all(table, numbers);
        numbers.write(archive_tag("HNUM"), out);
        static_assert(sizeof(HandleTable::Slot) == 2 * sizeof(std::uint32_t));
        out.section(archive_tag("SLOT"), table.slots_.data(), 2 * table.slots_.size());
        static_assert(std::endian::native == std::endian::little, "as archives are");
        out.section(archive_tag("DEAD"), table.dead_.data(), 2 * table.dead_.size());
    }

    static void read(ArchiveReader& in, HandleTable& table) {
        HandleTable loaded;
        NumbersIn numbers(archive_tag("HNUM"), in);
        name_all(loaded, numbers);
        if (!numbers.end()) { return; }
        Vector<std::uint32_t> slots, dead;
        if (!in.list(archive_tag("SLOT"), slots) || !in.list(archive_tag("DEAD"), dead)) { return; }
        if (slots.size() % 2 != 0 || dead.size() % 2 != 0 || slots.size() / 2 > kMaxHandleSlots) {
            return in.refuse();
        }
        for (std::size_t i = 0; i < slots.size(); i += 2) {
            loaded.slots_.push_back({slots[i], slots[i + 1]});
        }
        for (std::size_t i = 0; i < dead.size(); i += 2) {
            loaded.dead_.push_back(std::uint64_t{dead[i + 1]} << 32 | dead[i]);
        }
        if (loaded.validate() != nullptr) { return in.refuse(); }
        table = std::move(loaded);
    }

private:
    template <class Table, class Numbers>
    static void name_all(Table& table, Numbers& numbers) {
        auto hole = table.tally_.hole;
        std::uint64_t counts[] = {table.tally_.bound, table.tally_.size, table.tally_.holes,
                                  table.tally_.retired};
        numbers.number(hole);
        for (std::uint64_t& count : counts) {
            numbers.number(count);
        }
        if constexpr (!std::is_const_v<Table>) {
            table.tally_.hole = hole;
            table.tally_.bound = static_cast<std::size_t>(counts[0]);
            table.tally_.size = static_cast<std::size_t>(counts[1]);
            table.tally_.holes = static_cast<std::size_t>(counts[2]);
            table.tally_.retired = static_cast<std::size_t>(counts[3]);
        }
    }
};

/// Writes and reads elements and names by slot, and the tree and the grid, whose ids are slots.
template <std::size_t Dim>
struct FrozenIndex<LargeElements<Dim>> {
    using Set = LargeElements<Dim>;

    static void write(const Set& set, ArchiveWriter& out) {
        NumbersOut numbers;
        name_all(set, numbers);
        numbers.write(archive_tag("SNUM"), out);
        for (std::size_t a = 0; a < Dim; ++a) {
            out.section(archive_tag("XYZ "), set.position_[a].data(), set.position_[a].size());
            out.section(archive_tag("HALF"), set.half_[a].data(), set.half_[a].size());
        }
        out.section(archive_tag("MASK"), set.groups_.data(), set.groups_.size());
        out.section(archive_tag("NAME"), set.names_.data(), set.names_.size());
        out.section(archive_tag("FREE"), set.free_.data(), set.free_.size());
        FrozenIndex<LooseTree<Dim>>::write(set.tree_, out);
        FrozenIndex<RowGrid<Dim>>::write(set.centres_, out);
    }

    /// Reads into a new set. Names must be from `first` to `past` - 1.
    static void read(ArchiveReader& in, Set& set, Id first, Id past) {
        NumbersIn numbers(archive_tag("SNUM"), in);
        name_all(set, numbers);
        if (!numbers.end()) { return; }
        for (std::size_t a = 0; a < Dim; ++a) {
            (void)in.list(archive_tag("XYZ "), set.position_[a]);
            (void)in.list(archive_tag("HALF"), set.half_[a]);
        }
        (void)in.list(archive_tag("MASK"), set.groups_);
        (void)in.list(archive_tag("NAME"), set.names_);
        (void)in.list(archive_tag("FREE"), set.free_);
        if (!in.ok()) { return; }
        if (!index_names(set, first, past)) { return in.refuse(); }
        FrozenIndex<LooseTree<Dim>>::read(in, set.tree_);
        if (!in.ok()) { return; }
        FrozenIndex<RowGrid<Dim>>::read(in, set.centres_);
        if (in.ok() && set.validate() != nullptr) { in.refuse(); }
    }

private:
    template <class Self, class Numbers>
    static void name_all(Self& set, Numbers& numbers) {
        std::uint64_t size = set.size_, bound = set.bound_;
        Box<Dim> world = set.world_.value_or(Box<Dim>{});
        bool has_world = set.world_.has_value();
        bool groups = set.groups_kept_, indexed = set.indexed_;
        Point<Dim> largest = set.largest_;
        // The values that older libraries fitted cells to. Cells follow from the elements now, so
        // these are read and not used; they are written for those libraries, as if the cells had
        // just been fitted.
        bool is_fitted = set.is_laid(), fitted_groups = groups && is_fitted;
        std::uint64_t fitted_size = size;
        Box<Dim> fitted = world;
        for (bool* flag : {&has_world, &is_fitted, &groups, &fitted_groups, &indexed}) {
            numbers.number(*flag);
        }
        numbers.number(size);
        numbers.number(fitted_size);
        numbers.number(bound);
        for (Point<Dim>* point : {&world.lo, &world.hi, &fitted.lo, &fitted.hi, &largest}) {
            numbers.number(*point);
        }
        if constexpr (!std::is_const_v<Self>) {
            set.size_ = static_cast<std::size_t>(size);
            if (has_world) { set.world_ = world; }
            set.groups_kept_ = groups;
            set.indexed_ = indexed;
            set.bound_ = static_cast<std::size_t>(bound);
            set.largest_ = largest;
        }
    }

    /// Builds the index of names, which is not in the file, since it follows from the names.
    /// Returns whether names are in range and, where there is an index, all different.
    [[nodiscard]] static bool index_names(Set& set, Id first, Id past) {
        bool sound = set.bound_ <= past;
        for (const Id name : set.names_) {
            sound = sound && (name == kNoId || (first <= name && name < past));
        }
        if (!sound || !set.indexed_) { return sound; }
        set.by_name_.reserve(set.names_.size());
        for (std::size_t slot = 0; slot < set.names_.size(); ++slot) {
            const Id name = set.names_[slot];
            if (name == kNoId) { continue; }
            if (set.by_name_.find(name, set.names_) != kNoId) { return false; }
            set.by_name_.insert(static_cast<Id>(slot), set.names_);
        }
        return true;
    }
};

namespace {

template <std::size_t Dim>
struct CrowdNumbers {
    CrowdSettings<Dim> settings;
    CrowdKind<Dim> kind;
    bool configured = false, named_by_handles = false;
    CellFit fit;
    bool keyed = false; ///< keys follow the handles

    template <class Numbers>
    void name_all(Numbers& numbers) {
        bool bounds = settings.bounds.has_value(), cell = settings.cell.has_value();
        Box<Dim> world = settings.bounds.value_or(Box<Dim>{});
        Point<Dim> side = settings.cell.value_or(Point<Dim>{});
        for (bool* flag : {&bounds, &cell, &configured, &named_by_handles}) {
            numbers.number(*flag);
        }
        for (Point<Dim>* point : {&world.lo, &world.hi, &side}) {
            numbers.number(*point);
        }
        for (std::size_t a = 0; a < Dim; ++a) {
            auto origin = std::bit_cast<std::uint64_t>(settings.origin[a]);
            numbers.number(origin);
            settings.origin[a] = std::bit_cast<double>(origin);
            numbers.number(settings.periodic[a]);
        }
        numbers.number(kind);
        // Older libraries ended here.
        if (numbers.goes_on(true)) {
            numbers.number(settings.refits);
            numbers.number(fit.is_known);
            numbers.number(fit.is_due);
            numbers.number(fit.company);
            numbers.number(fit.waited);
            numbers.number(fit.in_row);
            numbers.number(fit.outside);
        }
        // Crowds without keys end here, so that libraries that know no keys read them.
        if (numbers.goes_on(keyed)) { numbers.number(keyed); }
        if (bounds) { settings.bounds = world; }
        if (cell) { settings.cell = side; }
    }
};

/// Reads keys by slot. Whether there are agents in these slots is for validate() to say.
void read_keys(ArchiveReader& in, Vector<std::uint64_t>& keys) {
    Vector<std::uint32_t> words;
    if (!in.list(archive_tag("KEYS"), words)) { return; }
    if (words.empty() || words.size() % 2 != 0) { return in.refuse(); }
    for (std::size_t i = 0; i < words.size(); i += 2) {
        keys.push_back(std::uint64_t{words[i + 1]} << 32 | words[i]);
    }
}

} // namespace

template <std::size_t Dim>
void FrozenIndex<Crowd<Dim>>::write(const Crowd<Dim>& crowd, ArchiveWriter& out) {
    const auto& state = detail::state_of(crowd);
    const AccessCheck::Reading reading(state.access);
    CrowdNumbers<Dim> all{state.settings,         state.kind, state.configured,
                          state.named_by_handles, state.fit,  !state.keys.empty()};
    NumbersOut numbers;
    all.name_all(numbers);
    numbers.write(archive_tag("CNUM"), out);
    FrozenIndex<RowGrid<Dim>>::write(state.grid, out);
    FrozenIndex<typename detail::StateOf<Crowd<Dim>>::Giants>::write(state.giants, out);
    FrozenIndex<typename detail::StateOf<Crowd<Dim>>::Statics>::write(*state.statics, out);
    FrozenIndex<HandleTable>::write(state.handles, out);
    if (all.keyed) {
        static_assert(std::endian::native == std::endian::little, "as archives are");
        out.section(archive_tag("KEYS"), state.keys.data(), 2 * state.keys.size());
    }
}

template <std::size_t Dim>
void FrozenIndex<Crowd<Dim>>::read(ArchiveReader& in, Crowd<Dim>& crowd) {
    using State = detail::StateOf<Crowd<Dim>>;
    CrowdNumbers<Dim> all;
    NumbersIn numbers(archive_tag("CNUM"), in);
    all.name_all(numbers);
    if (!numbers.end()) { return; }
    // Accepts only settings that configure() accepts. Memory is from the source of the thread,
    // which load() sets for a crowd with a source of its own.
    Crowd<Dim> loaded;
    // Cells come with the grid: the settings might lay out far too many.
    const std::optional<Point<Dim>> cell = std::exchange(all.settings.cell, std::nullopt);
    if ((cell && !all.settings.bounds) || !loaded.configure(all.settings, all.kind).ok()) {
        return in.refuse();
    }
    State& state = detail::state_of(loaded);
    state.settings.cell = cell;
    state.settings.memory = detail::state_of(crowd).settings.memory;
    FrozenIndex<RowGrid<Dim>>::read(in, state.grid);
    FrozenIndex<typename State::Giants>::read(in, state.giants, 0, kFirstStatic);
    FrozenIndex<typename State::Statics>::read(in, state.statics.fresh(), kFirstStatic, kNoId);
    FrozenIndex<HandleTable>::read(in, state.handles);
    if (all.keyed) { read_keys(in, state.keys); }
    if (!in.ok()) { return; }
    state.configured = all.configured;
    const bool may_compare = all.settings.refits && !cell && all.fit.is_known;
    const bool negative = all.fit.company < 0.0f || all.fit.in_row < 0.0f || all.fit.outside < 0.0f;
    if (negative || (all.fit.is_due && !may_compare)) { return in.refuse(); }
    state.fit = all.fit;
    if (state.configured) { state.laid_over = world_of(state.grid.shape()); }
    state.named_by_handles = all.named_by_handles;
    if (cell) {
        const auto [shape, status] = shape_over(*all.settings.bounds, *cell);
        if (!status.ok() || shape != state.grid.shape()) { return in.refuse(); }
    }
    if (state.grid.id_bound() > kFirstStatic || loaded.validate() != nullptr) {
        return in.refuse();
    }
    const AccessCheck::Changing changing(detail::state_of(crowd).access);
    detail::state_of(crowd) = std::move(state);
}

template struct FrozenIndex<Crowd<2>>;
template struct FrozenIndex<Crowd<3>>;

} // namespace throng
