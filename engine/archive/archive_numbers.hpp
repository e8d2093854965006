// Saves and loads the numbers of an index that are not in arrays, as one section. Internal to the
// engine.
#pragma once

#include "../agents/agents.hpp"
#include "../agents/point.hpp"
#include "../agents/validation.hpp"
#include "../memory/vector.hpp"
#include "archive.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng {

/// Numbers on their way to a section. A type names all its numbers in one function, which takes
/// this or NumbersIn, so that both see the same numbers in the same order.
class NumbersOut {
public:
    void number(const std::uint32_t& value) { words_.push_back(value); }
    void number(const bool& value) { words_.push_back(value ? 1 : 0); }
    void number(const float& value) { words_.push_back(std::bit_cast<std::uint32_t>(value)); }
    void number(const std::uint64_t& value) {
        words_.push_back(static_cast<std::uint32_t>(value));
        words_.push_back(static_cast<std::uint32_t>(value >> 32));
    }
    template <class T, std::size_t kCount>
    void number(const std::array<T, kCount>& values) {
        for (const T& value : values) {
            number(value);
        }
    }
    template <std::size_t Dim>
    void number(const Point<Dim>& point) {
        for (std::size_t a = 0; a < Dim; ++a) {
            number(point[a]);
        }
    }
    template <std::size_t Dim>
    void number(const CrowdKind<Dim>& kind) {
        number(kind.own_half_extents);
        number(kind.groups);
        number(kind.common_half_extent);
    }

    /// Whether more numbers follow, which only some indexes have: the argument says so.
    [[nodiscard]] static bool goes_on(bool more) noexcept { return more; }

    void write(std::uint32_t tag, ArchiveWriter& out) const {
        out.section(tag, words_.data(), words_.size());
    }

private:
    Vector<std::uint32_t> words_;
};

/// The same numbers, read back. A section with more or fewer of them is refused, and so are floats
/// that are not finite and kinds that no crowd has.
class NumbersIn {
public:
    NumbersIn(std::uint32_t tag, ArchiveReader& in) : in_(in) { (void)in.list(tag, words_); }

    void number(std::uint32_t& value) { value = next(); }
    void number(bool& value) {
        const std::uint32_t word = next();
        if (word > 1) { in_.refuse(); }
        value = word == 1;
    }
    void number(float& value) {
        value = std::bit_cast<float>(next());
        if (!std::isfinite(value)) {
            in_.refuse();
            value = 0.0f;
        }
    }
    void number(std::uint64_t& value) {
        value = next();
        value |= std::uint64_t{next()} << 32;
    }
    template <class T, std::size_t kCount>
    void number(std::array<T, kCount>& values) {
        for (T& value : values) {
            number(value);
        }
    }
    template <std::size_t Dim>
    void number(Point<Dim>& point) {
        for (std::size_t a = 0; a < Dim; ++a) {
            number(point[a]);
        }
    }
    template <std::size_t Dim>
    void number(CrowdKind<Dim>& kind) {
        number(kind.own_half_extents);
        number(kind.groups);
        number(kind.common_half_extent);
        const bool none = kind.common_half_extent == Point<Dim>{};
        if (!check_kind(kind).ok() || (kind.own_half_extents && !none)) { in_.refuse(); }
    }

    /// Whether more numbers follow: the length of the section says so, not the argument.
    [[nodiscard]] bool goes_on(bool) const noexcept { return at_ < words_.size(); }

    /// True if all was right and no numbers are left.
    bool end() {
        if (at_ != words_.size()) { in_.refuse(); }
        return in_.ok();
    }

private:
    std::uint32_t next() {
        if (at_ < words_.size()) { return words_[at_++]; }
        in_.refuse();
        return 0;
    }

    ArchiveReader& in_;
    Vector<std::uint32_t> words_;
    std::size_t at_ = 0;
};

} // namespace throng
