// The lists of edits that made the latest frames of a PublishedCrowd. Internal to the engine.
#pragma once

#include "../../agents/edit.hpp"
#include "../../core/id.hpp"
#include "../../memory/vector.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>

namespace throng {

/// Numbers the agents of published frames, from 1. Those of number n + 1 are those of n with the
/// edits of after(n), if the log has that list; else they came by an update, or the list was
/// forgotten. Edits of statics are left out: frames share their statics.
template <std::size_t Dim>
class EditLog {
public:
    /// No published frame has this number.
    static constexpr std::uint64_t kNowhere = 0;

    [[nodiscard]] std::uint64_t last() const noexcept { return first_ + ends_.size(); }

    /// How many edits, and lists of them, lead from the agents of a frame to the last ones; the
    /// largest number there is, if the log does not know them.
    [[nodiscard]] std::size_t missed_since(std::uint64_t agents) const noexcept {
        const bool is_known = first_ <= agents && agents <= last();
        return is_known ? edits_.size() - end_of(agents) + static_cast<std::size_t>(last() - agents)
                        : std::numeric_limits<std::size_t>::max();
    }
    [[nodiscard]] std::span<const Edit<Dim>> after(std::uint64_t agents) const noexcept {
        return {edits_.data() + end_of(agents), edits_.data() + end_of(agents + 1)};
    }

    /// The next agents come by an update.
    void restart() noexcept {
        first_ = last() + 1;
        edits_.clear();
        ends_.clear();
    }

    /// Makes room for a list; forgets the others, if all together would be more than `most` edits
    /// and lists. A list that alone is more is not kept. Throws std::bad_alloc.
    void prepare(std::span<const Edit<Dim>> edits, std::size_t most) {
        keeps_next_ = edits.size() < most;
        if (!keeps_next_) { return; }
        if (edits_.size() + edits.size() + ends_.size() + 1 > most) {
            first_ = last();
            edits_.clear();
            ends_.clear();
        }
        make_room(edits_, edits.size());
        make_room(ends_, 1);
    }
    /// The next agents are the last ones with these edits, for which prepare() was called.
    void add(std::span<const Edit<Dim>> edits) noexcept {
        if (!keeps_next_) { return restart(); }
        std::copy_if(edits.begin(), edits.end(), std::back_inserter(edits_),
                     [](const Edit<Dim>& edit) { return !is_static(edit.id); });
        ends_.push_back(edits_.size());
    }

private:
    template <class T>
    static void make_room(Vector<T>& list, std::size_t more) {
        const std::size_t wanted = list.size() + more;
        if (wanted > list.capacity()) { list.reserve(std::max(wanted, 2 * list.size())); }
    }

    /// Where the list ends that led to these agents.
    [[nodiscard]] std::size_t end_of(std::uint64_t agents) const noexcept {
        return agents == first_ ? 0 : ends_[static_cast<std::size_t>(agents - first_) - 1];
    }

    std::uint64_t first_ = 1;  // the log knows how the agents after these came
    Vector<Edit<Dim>> edits_;  // of all lists
    Vector<std::size_t> ends_; // where each list ends
    bool keeps_next_ = false;
};

} // namespace throng
