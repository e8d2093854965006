// The copies of a block's questions in a periodic world. Internal.
#pragma once

#include "../../engine/agents/buffers.hpp"
#include "../../engine/agents/filter.hpp"
#include "../../engine/agents/point.hpp"
#include "../../engine/answers/merge.hpp"
#include "../../engine/core/id.hpp"
#include "../../engine/memory/vector.hpp"
#include "../../engine/shapes/shapes_view.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace throng {

/// A block of questions as it is asked in a periodic world: first each question from its place in
/// the world, then all copies that a whole number of periods brings near the world. Copies are
/// questions like any others, and what they find is added to what their owners have found.
///
/// This works only if no two copies of a question can find the same agent: otherwise, as for
/// questions that are as wide as the world, the block is asked question by question.
class BlockCopies {
public:
    static constexpr std::size_t kSides = 64;

    /// Forgets the copies of the last block.
    void clear() noexcept {
        homes_.clear();
        given_.clear();
        sides_.clear();
        owners_.clear();
    }
    /// Adds a copy of question `owner`. The owners must ascend. Copies of the same side, a number
    /// below kSides, are near each other if their owners are. Faster if its length is known to the
    /// compiler.
    template <std::size_t kBytes>
    void add(std::size_t owner, std::size_t side, std::span<const std::byte, kBytes> copy) {
        const std::size_t end = given_.size();
        given_.resize(end + copy.size());
        std::memcpy(given_.data() + end, copy.data(), copy.size());
        owners_.push_back(static_cast<std::uint32_t>(owner));
        sides_.push_back(static_cast<std::uint8_t>(side));
    }
    /// After the last copy: puts them in the order in which they are asked, side by side, so that
    /// neighbours are searched for together. A copy is as long as `size`, a number or a constant.
    template <class Size>
    void arrange(const Size& size) {
        std::array<std::uint32_t, kSides + 1> next{};
        for (const std::uint8_t side : sides_) {
            ++next[side + 1];
        }
        for (std::size_t side = 0; side < kSides; ++side) {
            next[side + 1] += next[side];
        }
        places_.resize(owners_.size());
        shapes_.resize(given_.size());
        for (std::size_t i = 0; i < places_.size(); ++i) {
            places_[i] = next[sides_[i]]++;
            std::memcpy(shapes_.data() + places_[i] * size, given_.data() + i * size, size);
        }
    }
    /// Replaces a question by `home`; if that is another shape, the view of the questions changes.
    template <std::size_t Dim>
    void move(ShapesView<Dim>& questions, std::size_t q, const ShapesView<Dim>& home) {
        const std::size_t size = shape_size<Dim>(home.kind);
        if (std::memcmp(questions.part(q, 1).shapes, home.shapes, size) == 0) { return; }
        if (homes_.empty()) {
            const std::span<const std::byte> all = bytes_of(questions);
            homes_.assign(all.begin(), all.end());
            questions.shapes = homes_.data();
        }
        std::memcpy(homes_.data() + q * size, home.shapes, size);
    }

    /// The bytes of shapes.
    template <std::size_t Dim>
    [[nodiscard]] static std::span<const std::byte>
    bytes_of(const ShapesView<Dim>& shapes) noexcept {
        return {static_cast<const std::byte*>(shapes.shapes),
                shapes.count * shape_size<Dim>(shapes.kind)};
    }

    [[nodiscard]] bool empty() const noexcept { return owners_.empty(); }
    template <std::size_t Dim>
    [[nodiscard]] ShapesView<Dim> view(ShapeKind kind) const noexcept {
        return {kind, shapes_.data(), owners_.size()};
    }
    /// The copies, if they are points.
    template <std::size_t Dim>
    [[nodiscard]] std::span<const Point<Dim>> points() const noexcept {
        return {reinterpret_cast<const Point<Dim>*>(shapes_.data()), owners_.size()};
    }
    /// Calls call(owner, place) for the copies in the order of their owners; the place is the
    /// number of the copy in the order asked.
    template <class Call>
    void for_each(const Call& call) const {
        for (std::size_t i = 0; i < owners_.size(); ++i) {
            call(std::size_t{owners_[i]}, std::size_t{places_[i]});
        }
    }
    /// Their owners' filters. Valid until the next call.
    [[nodiscard]] Filters filters_from(const Filters& filters) {
        if (!filters.one_each) { return filters; }
        filters_.resize(owners_.size());
        for (std::size_t i = 0; i < owners_.size(); ++i) {
            filters_[places_[i]] = filters.of(owners_[i]);
        }
        return filters_;
    }

    /// Keeps the lists of all copies. ask(buffer) writes them, as many hits as fit, and returns how
    /// many there are.
    template <class Ask>
    void list(const Ask& ask) {
        starts_.resize(owners_.size() + 1);
        std::uint64_t found = ask(HitsBuffer{starts_, lists_});
        while (found > lists_.size()) {
            lists_.resize(length_of(found + found / 4));
            found = ask(HitsBuffer{starts_, lists_});
        }
    }
    /// Adds a hit to the lists, where these are made one by one: to that of the last owner, or of a
    /// later one.
    void add_hit(std::size_t owner, Id id) {
        if (owners_.empty() || owners_.back() != owner) {
            places_.resize(owners_.size());
            places_.push_back(static_cast<std::uint32_t>(owners_.size()));
            owners_.push_back(static_cast<std::uint32_t>(owner));
            starts_.resize(owners_.size());
            if (owners_.size() == 1) {
                lists_.clear();
                starts_[0] = 0;
            }
            starts_.push_back(starts_.back());
        }
        lists_.push_back(id);
        ++starts_.back();
    }
    /// Leaves out the hits for which keeps(side, id) is false.
    template <class Keeps>
    void leave_out(const Keeps& keeps) {
        side_at_.resize(owners_.size());
        for (std::size_t i = 0; i < owners_.size(); ++i) {
            side_at_[places_[i]] = sides_[i];
        }
        std::uint64_t kept = 0, begin = 0;
        for (std::size_t at = 0; at < side_at_.size(); ++at) {
            const std::uint64_t end = starts_[at + 1];
            for (; begin < end; ++begin) {
                const Id id = lists_[begin];
                lists_[kept] = id;
                kept += keeps(side_at_[at], id) ? 1 : 0;
            }
            starts_[at + 1] = kept;
        }
    }
    /// Appends the lists to the owners' answers. Returns how many hits they have.
    std::uint64_t append_to(const HitsBuffer& out, std::size_t questions) const noexcept {
        const auto list = [&](std::size_t i) {
            const std::uint64_t begin = starts_[places_[i]];
            return std::span(lists_).subspan(begin, starts_[places_[i] + 1] - begin);
        };
        append_lists(out.offsets.first(questions + 1), out.ids, owners_, starts_.back(), list);
        return starts_.back();
    }
    /// The lengths of the lists, added to their owners' counts. Returns how many hits they have.
    std::uint64_t add_lengths_to(std::span<std::uint32_t> counts) const noexcept {
        for (std::size_t i = 0; i < owners_.size(); ++i) {
            counts[owners_[i]] +=
                static_cast<std::uint32_t>(starts_[places_[i] + 1] - starts_[places_[i]]);
        }
        return starts_.back();
    }

    /// Room for a count for each copy.
    [[nodiscard]] std::span<std::uint32_t> counts() {
        counts_.resize(owners_.size());
        return counts_;
    }
    /// Adds the copies' counts to their owners' counts. Returns the sum of what it adds.
    std::uint64_t add_counts_to(std::span<std::uint32_t> counts) const noexcept {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < owners_.size(); ++i) {
            counts[owners_[i]] += counts_[places_[i]];
            sum += counts_[places_[i]];
        }
        return sum;
    }
    /// The same for counts that are 0 or 1, and stay so.
    std::uint64_t any_to(std::span<std::uint32_t> counts) const noexcept {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < owners_.size(); ++i) {
            std::uint32_t& count = counts[owners_[i]];
            sum += count == 0 ? counts_[places_[i]] : 0;
            count |= counts_[places_[i]];
        }
        return sum;
    }

    [[nodiscard]] std::size_t memory() const noexcept {
        return room_of(homes_) + room_of(given_) + room_of(shapes_) + room_of(owners_) +
               room_of(sides_) + room_of(places_) + room_of(side_at_) + room_of(filters_) +
               room_of(starts_) + room_of(lists_) + room_of(counts_);
    }

private:
    template <class Element>
    static std::size_t room_of(const std::vector<Element>& elements) noexcept {
        return elements.capacity() * sizeof(Element);
    }

    std::vector<std::byte> homes_;      // the block, if questions had to be moved into the world
    std::vector<std::byte> given_;      // the copies, by owner
    std::vector<std::uint32_t> owners_; // their owners, sides, and places in the order asked
    std::vector<std::uint8_t> sides_;
    std::vector<std::uint32_t> places_;

    // In the order asked.
    std::vector<std::byte> shapes_;
    std::vector<std::uint8_t> side_at_;
    std::vector<Filter> filters_;
    std::vector<std::uint64_t> starts_; // of the copies' lists
    std::vector<Id> lists_;
    std::vector<std::uint32_t> counts_;
};

} // namespace throng
