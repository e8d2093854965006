// The memory for answers: arrays of the caller's, or memory of a pool.
#pragma once

#include "../refusal.hpp"
#include "../threads/pool.hpp"
#include "array.hpp"
#include "block.hpp"

#include <throng/engine/agents/found.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace throng::python {

/// The caller's arrays for the answers to n questions.
class HitsOut {
public:
    HitsOut(py::handle offsets, py::handle ids, std::size_t questions)
        : offsets_(out_array(offsets, "out[0]", Element::uint64, questions + 1)),
          ids_(out_array(ids, "out[1]", Element::uint32, 0)), questions_(questions) {
        check_apart(offsets_, ids_);
    }

    [[nodiscard]] HitsBuffer buffer() const noexcept {
        return {offsets_.written<std::uint64_t>().first(questions_ + 1),
                ids_.written<std::uint32_t>()};
    }
    /// The number of ids. Raises an error if they did not all fit; then the offsets and the first
    /// ids are still right.
    [[nodiscard]] std::size_t checked(const Found& found) const {
        check(found.status);
        const std::size_t room = ids_.extent(0);
        if (found.count > room) { refuse_room("out[1]", found.count); }
        return found.count;
    }

private:
    Array offsets_, ids_;
    std::size_t questions_;
};

/// Counts in an array of the caller's, or of the pool's.
class CountsOut {
public:
    CountsOut(py::handle out, Element element, std::size_t questions,
              Pool<std::vector<std::uint32_t>>& pool)
        : questions_(questions) {
        if (!out.is_none()) {
            array_.emplace(out_array(out, "out", element, questions));
            object_ = py::reinterpret_borrow<py::object>(out);
            if (element == Element::uint32) {
                counts_ = array_->written<std::uint32_t>().first(questions);
                return;
            }
        }
        numbers_ = pool.lend();
        numbers_->resize(questions);
        counts_ = *numbers_;
    }

    [[nodiscard]] std::span<std::uint32_t> counts() const noexcept { return counts_; }
    [[nodiscard]] py::object result() const {
        return array_ ? object_ : block_of(numbers_, counts_.data(), questions_);
    }

    /// Turns counts into bytes, 1 if the count is not zero, in the same memory or in the caller's.
    void make_flags() const noexcept {
        auto* const flags = array_ ? array_->written<unsigned char>().data()
                                   : reinterpret_cast<unsigned char*>(counts_.data());
        for (std::size_t q = 0; q < questions_; ++q) {
            flags[q] = counts_[q] != 0 ? 1 : 0;
        }
    }
    [[nodiscard]] py::object flags() const {
        return array_ ? object_
                      : block_of(numbers_, reinterpret_cast<bool*>(counts_.data()), questions_);
    }

private:
    std::optional<Array> array_;
    py::object object_;
    std::shared_ptr<std::vector<std::uint32_t>> numbers_;
    std::span<std::uint32_t> counts_;
    std::size_t questions_;
};

} // namespace throng::python
