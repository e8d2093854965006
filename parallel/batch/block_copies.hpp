// The copies of a block's questions in a periodic world. Internal.
#pragma once

#include "../../engine/agents/buffers.hpp"
#include "../../engine/agents/filter.hpp"
#include "../../engine/answers/merge.hpp"
#include "../../engine/core/id.hpp"
#include "../../engine/memory/vector.hpp"
#include "../../engine/shapes/shapes_view.hpp"

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
    /// Forgets the copies of the last block.
    void clear() noexcept {
        homes_.clear();
        shapes_.clear();
        owners_.clear();
    }
    /// Adds a copy of question `owner`. The owners must ascend.
    template <std::size_t Dim>
    void add(std::size_t owner, const ShapesView<Dim>& copy) {
        add_bytes(shapes_, copy);
        owners_.push_back(static_cast<std::uint32_t>(owner));
    }
    /// Replaces a question by `home`; if that is another shape, the view of the questions changes.
    template <std::size_t Dim>
    void move(ShapesView<Dim>& questions, std::size_t q, const ShapesView<Dim>& home) {
        const std::size_t size = shape_size<Dim>(home.kind);
        if (std::memcmp(questions.part(q, 1).shapes, home.shapes, size) == 0) { return; }
        if (homes_.empty()) {
            add_bytes(homes_, questions);
            questions.shapes = homes_.data();
        }
        std::memcpy(homes_.data() + q * size, home.shapes, size);
    }

    [[nodiscard]] bool empty() const noexcept { return owners_.empty(); }
    [[nodiscard]] std::span<const std::uint32_t> owners() const noexcept { return owners_; }
    template <std::size_t Dim>
    [[nodiscard]] ShapesView<Dim> view(ShapeKind kind) const noexcept {
        return {kind, shapes_.data(), owners_.size()};
    }
    /// Their owners' filters. Valid until the next call.
    [[nodiscard]] Filters filters_from(const Filters& filters) {
        if (!filters.one_each) { return filters; }
        filters_.clear();
        for (const std::uint32_t owner : owners_) {
            filters_.push_back(filters.of(owner));
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
    /// Leaves out the hits for which keeps(owner, id) is false.
    template <class Keeps>
    void leave_out(const Keeps& keeps) {
        std::uint64_t kept = 0, begin = 0;
        for (std::size_t i = 0; i < owners_.size(); ++i) {
            const std::uint64_t end = starts_[i + 1];
            for (; begin < end; ++begin) {
                const Id id = lists_[begin];
                lists_[kept] = id;
                kept += keeps(owners_[i], id) ? 1 : 0;
            }
            starts_[i + 1] = kept;
        }
    }
    /// Appends the lists to the owners' answers. Returns how many hits they have.
    std::uint64_t append_to(const HitsBuffer& out, std::size_t questions) const noexcept {
        append_lists(out.offsets.first(questions + 1), out.ids, owners_, starts_, lists_);
        return starts_.back();
    }
    /// The lengths of the lists, added to their owners' counts. Returns how many hits they have.
    std::uint64_t add_lengths_to(std::span<std::uint32_t> counts) const noexcept {
        for (std::size_t i = 0; i < owners_.size(); ++i) {
            counts[owners_[i]] += static_cast<std::uint32_t>(starts_[i + 1] - starts_[i]);
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
            counts[owners_[i]] += counts_[i];
            sum += counts_[i];
        }
        return sum;
    }
    /// The same for counts that are 0 or 1, and stay so.
    std::uint64_t any_to(std::span<std::uint32_t> counts) const noexcept {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < owners_.size(); ++i) {
            std::uint32_t& count = counts[owners_[i]];
            sum += count == 0 ? counts_[i] : 0;
            count |= counts_[i];
        }
        return sum;
    }

    [[nodiscard]] std::size_t memory() const noexcept {
        return bytes_of(homes_) + bytes_of(shapes_) + bytes_of(owners_) + bytes_of(filters_) +
               bytes_of(starts_) + bytes_of(lists_) + bytes_of(counts_);
    }

private:
    template <std::size_t Dim>
    static void add_bytes(std::vector<std::byte>& to, const ShapesView<Dim>& shapes) {
        const auto* const bytes = static_cast<const std::byte*>(shapes.shapes);
        to.insert(to.end(), bytes, bytes + shapes.count * shape_size<Dim>(shapes.kind));
    }
    template <class Element>
    static std::size_t bytes_of(const std::vector<Element>& elements) noexcept {
        return elements.capacity() * sizeof(Element);
    }

    std::vector<std::byte> homes_;  // the block, if questions had to be moved into the world
    std::vector<std::byte> shapes_; // the copies
    std::vector<std::uint32_t> owners_;
    std::vector<Filter> filters_;
    std::vector<std::uint64_t> starts_; // of the copies' lists
    std::vector<Id> lists_;
    std::vector<std::uint32_t> counts_;
};

} // namespace throng
