// One process's part of a crowd that is spread over many processes.
#pragma once

#include "../simd/isa/names_begin.hpp"

#include "../engine/agents/agents.hpp"
#include "../engine/agents/point.hpp"
#include "../engine/core/id.hpp"
#include "../engine/core/status.hpp"
#include "../simd/isa/export.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace throng {

/// The name of an agent for its whole life, whichever rank owns it.
using GlobalId = std::uint64_t;

/// No agent has this name.
inline constexpr GlobalId kNoGlobalId = ~GlobalId{0};

/// The upper half of all names is for statics, so agents' names stay below this.
inline constexpr GlobalId kFirstGlobalStatic = GlobalId{1} << 63;

/// The name, in answers, of the static with this index in the arrays given to set_statics().
[[nodiscard]] constexpr GlobalId global_static_id(std::size_t index) noexcept {
    return kFirstGlobalStatic | index;
}

/// The ranks that a column is sent to.
enum class Travels : bool {
    with_owner,  ///< only the owner of the agent; the values of ghosts mean nothing
    with_ghosts, ///< also ranks that have a ghost of the agent
};

namespace detail {

/// An array of any type, by local id, and the next array, which an update may build beside it.
class ShareArray {
public:
    ShareArray(std::size_t element, Travels goes) noexcept : bytes(element), travels(goes) {}
    ShareArray(const ShareArray&) = delete;
    ShareArray& operator=(const ShareArray&) = delete;
    virtual ~ShareArray() = default;

    [[nodiscard]] virtual std::size_t size() const noexcept = 0;
    /// The number of elements that fit its memory.
    [[nodiscard]] virtual std::size_t room() const noexcept = 0;
    [[nodiscard]] virtual const std::byte* now() const noexcept = 0;
    /// Sets the length of the array; there must be room.
    virtual std::byte* resize(std::size_t count) noexcept = 0;
    /// Sets the length of the next array, with a little room to spare. Throws std::bad_alloc.
    virtual std::byte* prepare(std::size_t count) = 0;
    [[nodiscard]] virtual const std::byte* next() const noexcept = 0;
    /// Swaps the array with the next one.
    virtual void commit() noexcept = 0;
    /// Frees the next array.
    virtual void drop() noexcept = 0;
    /// Removes all elements but `kept`.
    virtual void keep(std::span<const Id> kept) noexcept = 0;
    [[nodiscard]] virtual std::size_t memory() const noexcept = 0;

    const std::size_t bytes; ///< of an element
    const Travels travels;
};

template <class T>
class ShareArrayOf : public ShareArray {
    static_assert(std::is_trivially_copyable_v<T>, "columns travel as bytes");
    static_assert(!std::is_same_v<T, bool>, "vectors of bool are no arrays");

public:
    ShareArrayOf(std::vector<T>& now, Travels goes) noexcept
        : ShareArray(sizeof(T), goes), now_(now) {}

    [[nodiscard]] std::size_t size() const noexcept override { return now_.size(); }
    [[nodiscard]] std::size_t room() const noexcept override { return now_.capacity(); }
    [[nodiscard]] const std::byte* now() const noexcept override {
        return reinterpret_cast<const std::byte*>(now_.data());
    }
    std::byte* resize(std::size_t count) noexcept override {
        now_.resize(count);
        return reinterpret_cast<std::byte*>(now_.data());
    }
    std::byte* prepare(std::size_t count) override {
        next_.reserve(count + count / 32 + 16);
        next_.resize(count);
        return reinterpret_cast<std::byte*>(next_.data());
    }
    [[nodiscard]] const std::byte* next() const noexcept override {
        return reinterpret_cast<const std::byte*>(next_.data());
    }
    void commit() noexcept override { now_.swap(next_); }
    void drop() noexcept override { std::vector<T>().swap(next_); }
    void keep(std::span<const Id> kept) noexcept override {
        for (std::size_t i = 0; i < kept.size(); ++i) {
            now_[i] = now_[kept[i]];
        }
        now_.resize(kept.size());
    }
    [[nodiscard]] std::size_t memory() const noexcept override {
        return (now_.capacity() + next_.capacity()) * sizeof(T);
    }

private:
    std::vector<T>& now_;
    std::vector<T> next_;
};

/// Holds the array of a column. A base class, so that the array exists before ShareArrayOf borrows
/// it.
template <class T>
struct ColumnArray {
    std::vector<T> values;
};
template <class T>
class ShareColumn final : private ColumnArray<T>, public ShareArrayOf<T> {
public:
    explicit ShareColumn(Travels goes) noexcept : ShareArrayOf<T>(this->values, goes) {}
    [[nodiscard]] std::vector<T>& array() noexcept { return this->values; }
};

/// A column whose element size is known only at run time. If the array does not end with a whole
/// element, its size() matches no number of agents.
class ShareBytes final : public ShareArray {
public:
    using ShareArray::ShareArray;

    [[nodiscard]] std::vector<std::byte>& array() noexcept { return now_; }
    [[nodiscard]] std::size_t size() const noexcept override {
        return now_.size() % bytes == 0 ? now_.size() / bytes : ~std::size_t{0};
    }
    [[nodiscard]] std::size_t room() const noexcept override { return now_.capacity() / bytes; }
    [[nodiscard]] const std::byte* now() const noexcept override { return now_.data(); }
    std::byte* resize(std::size_t count) noexcept override {
        now_.resize(count * bytes);
        return now_.data();
    }
    std::byte* prepare(std::size_t count) override {
        next_.reserve((count + count / 32 + 16) * bytes);
        next_.resize(count * bytes);
        return next_.data();
    }
    [[nodiscard]] const std::byte* next() const noexcept override { return next_.data(); }
    void commit() noexcept override { now_.swap(next_); }
    void drop() noexcept override { std::vector<std::byte>().swap(next_); }
    void keep(std::span<const Id> kept) noexcept override {
        for (std::size_t i = 0; i < kept.size(); ++i) {
            std::memmove(now_.data() + i * bytes, now_.data() + kept[i] * bytes, bytes);
        }
        now_.resize(kept.size() * bytes);
    }
    [[nodiscard]] std::size_t memory() const noexcept override {
        return now_.capacity() + next_.capacity();
    }

private:
    std::vector<std::byte> now_, next_;
};

} // namespace detail

/// Names a column of a Share.
template <class T>
struct Column {
    std::size_t index = 0;
};
/// Names a column whose elements have no type.
struct ByteColumn {
    std::size_t index = 0;
};

/// The agents of one rank, in arrays by local id. DistributedGrid::update() sends each agent to the
/// rank that owns its place, and brings copies of other ranks' agents nearby: *ghosts*. Afterwards
/// the owned agents come first, then the ghosts, both by ascending global id.
///
/// Between updates the arrays are the user's. Ghosts have the values that their owners gave them at
/// the update. An update frees memory that an array has reserved far beyond its agents. *Births*:
/// append to every array, behind the ghosts, on any rank. *Deaths*: keep_only().
template <std::size_t Dim>
class THRONG_API Share {
public:
    Share() = default;
    Share(const Share&) = delete; // columns are found by address
    Share& operator=(const Share&) = delete;

    std::vector<GlobalId> ids;
    std::vector<Point<Dim>> positions;
    std::vector<Point<Dim>> half_extents; ///< empty unless agents have their own
    std::vector<std::uint32_t> groups;    ///< empty unless agents have masks

    /// Adds an array with a zero for each agent. Every rank must have the same columns, in the same
    /// order. Throws std::bad_alloc.
    template <class T>
    Column<T> column(Travels travels) {
        auto column = std::make_unique<detail::ShareColumn<T>>(travels);
        column->array().resize(ids.size());
        columns_.push_back(std::move(column));
        return {columns_.size() - 1};
    }
    template <class T>
    [[nodiscard]] std::vector<T>& operator[](Column<T> column) noexcept {
        return static_cast<detail::ShareColumn<T>&>(*columns_[column.index]).array();
    }

    /// As column(), for elements of `bytes` bytes, at least one: for hosts that know the size only
    /// at run time. The array has `bytes` bytes for each agent.
    ByteColumn byte_column(std::size_t bytes, Travels travels) {
        auto column = std::make_unique<detail::ShareBytes>(bytes, travels);
        column->array().resize(bytes * ids.size());
        columns_.push_back(std::move(column));
        return {columns_.size() - 1};
    }
    [[nodiscard]] std::vector<std::byte>& operator[](ByteColumn column) noexcept {
        return static_cast<detail::ShareBytes&>(*columns_[column.index]).array();
    }

    /// The number of agents that this rank owned after the latest update, less the deaths since:
    /// local ids 0 ... owned() - 1.
    [[nodiscard]] std::size_t owned() const noexcept { return owned_; }
    /// The number of copies of other ranks' agents: the next ghosts() local ids.
    [[nodiscard]] std::size_t ghosts() const noexcept { return ghosts_; }

    /// Removes all owned agents but `kept`: local ids below owned(), ascending. Ghosts go too, and
    /// births stay. All arrays that are not empty must be as long as ids. Throws std::bad_alloc,
    /// and then nothing has changed.
    void keep_only(std::span<const Id> kept);

    /// Bytes of all arrays.
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    template <std::size_t>
    friend class ShareUpdate;
    template <std::size_t>
    friend class Checkpoint;

    /// Refuses arrays of another length than ids, and arrays that this kind of crowd does not have.
    [[nodiscard]] Status check(const CrowdKind<Dim>& kind) const;

    /// Calls call(array) for ids, positions, the arrays of this kind of crowd, and columns.
    template <class Call>
    void for_each_array(bool with_half_extents, bool with_groups, const Call& call) {
        for_each_array_of(*this, with_half_extents, with_groups, call);
    }
    template <class Call>
    void for_each_array(bool with_half_extents, bool with_groups, const Call& call) const {
        for_each_array_of(*this, with_half_extents, with_groups, call);
    }
    template <class Self, class Call>
    static void for_each_array_of(Self& self, bool with_half_extents, bool with_groups,
                                  const Call& call) {
        call(self.ids_array_);
        call(self.positions_array_);
        if (with_half_extents) { call(self.half_extents_array_); }
        if (with_groups) { call(self.groups_array_); }
        for (const auto& column : self.columns_) {
            call(*column);
        }
    }

    std::size_t owned_ = 0, ghosts_ = 0;
    detail::ShareArrayOf<GlobalId> ids_array_{ids, Travels::with_ghosts};
    detail::ShareArrayOf<Point<Dim>> positions_array_{positions, Travels::with_ghosts};
    detail::ShareArrayOf<Point<Dim>> half_extents_array_{half_extents, Travels::with_ghosts};
    detail::ShareArrayOf<std::uint32_t> groups_array_{groups, Travels::with_ghosts};
    std::vector<std::unique_ptr<detail::ShareArray>> columns_;
};

extern template class Share<2>;
extern template class Share<3>;

} // namespace throng

#include "../simd/isa/names_end.hpp"
