#include "structs.hpp"

#include <algorithm>
#include <cstring>

namespace throng::c {

void read_structure(const void* given, const char* name, std::size_t first, std::size_t known,
                    void* into) {
    if (given == nullptr) { refuse(THRONG_NULL_POINTER, name); }
    const std::size_t size = size_of(given);
    if (size < first || size > kLongest) { refuse(THRONG_WRONG_SIZE, name); }
    const auto* const bytes = static_cast<const unsigned char*>(given);
    const auto is_set = [](unsigned char byte) { return byte != 0; };
    if (size > known && std::any_of(bytes + known, bytes + size, is_set)) {
        refuse(THRONG_WRONG_SIZE, name);
    }
    std::memcpy(into, given, std::min(size, known));
}

void write_structure(const void* from, std::size_t known, void* to) noexcept {
    // The caller's size field stays. The size checked at the start counts: since then callbacks of
    // the caller have run, and arrays at any place have been written.
    constexpr std::size_t kBehindSize = sizeof(std::size_t);
    const std::size_t size = std::min(size_of(from), known);
    std::memcpy(static_cast<unsigned char*>(to) + kBehindSize,
                static_cast<const unsigned char*>(from) + kBehindSize, size - kBehindSize);
}

} // namespace throng::c
