// Where answers go: into arrays of the caller's, or into memory of a pool.
#pragma once

#include "../refusal.hpp"
#include "../threads/pool.hpp"
#include "array.hpp"
#include "block.hpp"

#include <throng/engine/agents/found.hpp>
#include <throng/parallel/batch/asked.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace throng::python {

/// Offsets and ids, over the memory of these hits.
[[nodiscard]] py::tuple blocks_of(const std::shared_ptr<Hits>& hits);

/// The lists of n questions: into a pair of arrays of the caller's, or into hits of the pool's.
class ListsOut {
public:
    ListsOut(py::handle out, std::size_t questions, Pool<Hits>& pool) : questions_(questions) {
        if (out.is_none()) {
            hits_ = pool.lend();
            return;
        }
        const auto pair = py::reinterpret_borrow<py::tuple>(out);
        offsets_.emplace(out_array(pair[0], "out[0]", Element::uint64, questions + 1));
        ids_.emplace(out_array(pair[1], "out[1]", Element::uint32, 0));
        check_apart(*offsets_, *ids_);
    }

    [[nodiscard]] HitsOutput output() const noexcept {
        if (hits_) { return *hits_; }
        return {offsets_->written<std::uint64_t>().first(questions_ + 1),
                ids_->written<std::uint32_t>()};
    }
    /// Where there are no arrays of the caller's.
    [[nodiscard]] Hits& hits() const noexcept { return *hits_; }
    /// The lists; or the number of ids in the caller's arrays. Raises if they did not all fit: the
    /// offsets are right then, and the first ids are there.
    [[nodiscard]] py::object result(const Found& found) const {
        check(found);
        if (hits_) { return blocks_of(hits_); }
        if (found.count > ids_->extent(0)) { refuse_room("out[1]", found.count); }
        return py::int_(found.count);
    }

private:
    std::shared_ptr<Hits> hits_;
    std::optional<Array> offsets_, ids_;
    std::size_t questions_;
};

/// Counts: into an array of the caller's, or one of the pool's.
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
    /// Turns counts into bytes, 1 where the count is not zero, in the same memory or in the
    /// caller's.
    void make_flags() const noexcept {
        auto* const flags = array_ ? array_->written<unsigned char>().data()
                                   : reinterpret_cast<unsigned char*>(counts_.data());
        for (std::size_t q = 0; q < questions_; ++q) {
            flags[q] = counts_[q] != 0 ? 1 : 0;
        }
    }
    /// The counts, or with bool the flags.
    template <class T = std::uint32_t>
    [[nodiscard]] py::object result() const {
        if (array_) { return object_; }
        return block_of(numbers_, reinterpret_cast<T*>(counts_.data()), questions_);
    }

private:
    std::optional<Array> array_;
    py::object object_;
    std::shared_ptr<std::vector<std::uint32_t>> numbers_;
    std::span<std::uint32_t> counts_;
    std::size_t questions_;
};

} // namespace throng::python
