// A hash of answers.
#pragma once

#include <throng/engine/core/id.hpp>

#include <cstdint>
#include <span>

namespace throng::test {

/// FNV-1a (Fowler, Noll, Vo) of whole numbers, each with its lowest byte first.
class Hash {
public:
    void add(std::uint64_t value) noexcept {
        for (int byte = 0; byte < 8; ++byte) {
            value_ = (value_ ^ (value >> (8 * byte) & 0xFF)) * 0x0000'0100'0000'01B3u;
        }
    }
    void add(std::span<const Id> ids) noexcept {
        add(ids.size());
        for (const Id id : ids) {
            add(id);
        }
    }
    [[nodiscard]] std::uint64_t value() const noexcept { return value_; }

private:
    std::uint64_t value_ = 0xCBF2'9CE4'8422'2325u;
};

} // namespace throng::test
