#include "png.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <string_view>
#include <utility>

namespace throng::demo {

namespace {

using Bytes = std::vector<std::uint8_t>;

void put_big_endian(Bytes& out, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) {
        out.push_back(static_cast<std::uint8_t>(value >> shift));
    }
}

std::uint32_t crc_of(std::span<const std::uint8_t> bytes) {
    static const auto kTable = [] {
        std::array<std::uint32_t, 256> table{};
        for (std::uint32_t n = 0; n < 256; ++n) {
            table[n] = n;
            for (int bit = 0; bit < 8; ++bit) {
                table[n] = table[n] >> 1 ^ ((table[n] & 1) != 0 ? 0xEDB8'8320u : 0u);
            }
        }
        return table;
    }();
    std::uint32_t crc = ~0u;
    for (const std::uint8_t byte : bytes) {
        crc = kTable[(crc ^ byte) & 255u] ^ crc >> 8;
    }
    return ~crc;
}

std::uint32_t adler_of(std::span<const std::uint8_t> bytes) {
    std::uint32_t low = 1, high = 0;
    for (const std::uint8_t byte : bytes) {
        low = (low + byte) % 65'521u;
        high = (high + low) % 65'521u;
    }
    return high << 16 | low;
}

/// Writes bits from the lowest, and codes from the highest, as deflate requires.
class BitWriter {
public:
    explicit BitWriter(Bytes& out) : out_(out) {}

    void bits(std::uint32_t value, unsigned count) {
        waiting_ |= std::uint64_t{value} << filled_;
        for (filled_ += count; filled_ >= 8; filled_ -= 8) {
            out_.push_back(static_cast<std::uint8_t>(waiting_));
            waiting_ >>= 8;
        }
    }
    void code(std::uint32_t value, unsigned count) {
        std::uint32_t turned = 0;
        for (unsigned bit = 0; bit < count; ++bit) {
            turned |= (value >> bit & 1u) << (count - 1 - bit);
        }
        bits(turned, count);
    }
    void finish() {
        if (filled_ != 0) { bits(0, 8 - filled_); }
    }

private:
    Bytes& out_;
    std::uint64_t waiting_ = 0;
    unsigned filled_ = 0;
};

/// The fixed code of a literal, the end (256) or a length.
void put_symbol(BitWriter& writer, std::uint32_t symbol) {
    if (symbol < 144) {
        writer.code(0x30 + symbol, 8);
    } else if (symbol < 256) {
        writer.code(0x190 + symbol - 144, 9);
    } else if (symbol < 280) {
        writer.code(symbol - 256, 7);
    } else {
        writer.code(0xC0 + symbol - 280, 8);
    }
}

/// Lengths and distances are a class and extra bits. Classes come in groups of `group`; each group
/// has one extra bit more than the one before, and the first two have none.
struct Classed {
    std::uint32_t number, extra;
    unsigned bits;
};
Classed classed(std::uint32_t value, unsigned group_bits) {
    const std::uint32_t group = 1u << group_bits;
    if (value < 2 * group) { return {value, 0, 0}; }
    unsigned bits = 0;
    while (value >> bits >= 2 * group) {
        ++bits;
    }
    return {bits * group + (value >> bits), value & ((1u << bits) - 1u), bits};
}

void put_match(BitWriter& writer, std::uint32_t length, std::uint32_t distance) {
    const Classed long_ = length == 258 ? Classed{28, 0, 0} : classed(length - 3, 2);
    put_symbol(writer, 257 + long_.number);
    writer.bits(long_.extra, long_.bits);
    const Classed far = classed(distance - 1, 1);
    writer.code(far.number, 5);
    writer.bits(far.extra, far.bits);
}

/// A zlib stream: one block of literals and of matches with the last place that had the same hash.
Bytes compressed(std::span<const std::uint8_t> data) {
    constexpr std::uint32_t kWindow = 32'768, kNone = ~0u;
    constexpr unsigned kHashBits = 15;
    constexpr std::size_t kLongest = 258, kShortest = 4;
    Bytes out = {0x78, 0x01};
    BitWriter writer(out);
    writer.bits(1, 1); // the last block
    writer.bits(1, 2); // with fixed codes
    std::vector<std::uint32_t> last(std::size_t{1} << kHashBits, kNone);
    const auto hash_at = [&](std::size_t i) {
        const std::uint32_t word = data[i] | std::uint32_t{data[i + 1]} << 8 |
                                   std::uint32_t{data[i + 2]} << 16 |
                                   std::uint32_t{data[i + 3]} << 24;
        return word * 0x9E37'79B1u >> (32 - kHashBits);
    };
    for (std::size_t i = 0; i < data.size();) {
        std::size_t length = 0;
        std::uint32_t before = kNone;
        if (i + kShortest <= data.size()) {
            before = std::exchange(last[hash_at(i)], static_cast<std::uint32_t>(i));
            if (before != kNone && i - before <= kWindow) {
                const std::size_t most = std::min(kLongest, data.size() - i);
                while (length < most && data[before + length] == data[i + length]) {
                    ++length;
                }
            }
        }
        if (length < kShortest) {
            put_symbol(writer, data[i++]);
        } else {
            put_match(writer, static_cast<std::uint32_t>(length),
                      static_cast<std::uint32_t>(i - before));
            i += length;
        }
    }
    put_symbol(writer, 256);
    writer.finish();
    put_big_endian(out, adler_of(data));
    return out;
}

/// Rows of red, green and blue. Each byte is the difference to the byte on its left or above it,
/// whichever gives smaller numbers in the row; the first byte of a row tells which.
Bytes filtered(const Image& image) {
    Bytes out;
    const std::size_t row = image.width * 3;
    out.reserve((row + 1) * image.height);
    Bytes above(row), here(row);
    std::array<Bytes, 2> less = {Bytes(row), Bytes(row)};
    for (std::size_t y = 0; y < image.height; ++y) {
        for (std::size_t i = 0; i < row; ++i) {
            here[i] = image.row(y)[i / 3 * 4 + i % 3];
        }
        std::array<std::size_t, 2> left_over{};
        for (std::size_t i = 0; i < row; ++i) {
            const std::uint8_t left = i < 3 ? std::uint8_t{0} : here[i - 3];
            less[0][i] = static_cast<std::uint8_t>(here[i] - left);
            less[1][i] = static_cast<std::uint8_t>(here[i] - above[i]);
            for (std::size_t f = 0; f < 2; ++f) {
                const int change = static_cast<std::int8_t>(less[f][i]);
                left_over[f] += static_cast<std::size_t>(std::abs(change));
            }
        }
        const std::size_t best = left_over[1] < left_over[0] ? 1 : 0;
        out.push_back(static_cast<std::uint8_t>(best + 1));
        out.insert(out.end(), less[best].begin(), less[best].end());
        std::swap(above, here);
    }
    return out;
}

void put_chunk(Bytes& out, std::string_view name, const Bytes& data) {
    put_big_endian(out, static_cast<std::uint32_t>(data.size()));
    const std::size_t begin = out.size();
    out.insert(out.end(), name.begin(), name.end());
    out.insert(out.end(), data.begin(), data.end());
    put_big_endian(out, crc_of(std::span(out).subspan(begin)));
}

} // namespace

std::vector<std::uint8_t> encode_png(const Image& image) {
    Bytes out = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    Bytes header;
    put_big_endian(header, static_cast<std::uint32_t>(image.width));
    put_big_endian(header, static_cast<std::uint32_t>(image.height));
    constexpr std::array<std::uint8_t, 5> kColours = {8, 2, 0, 0, 0}; // eight bits; no alpha
    header.insert(header.end(), kColours.begin(), kColours.end());
    put_chunk(out, "IHDR", header);
    put_chunk(out, "IDAT", compressed(filtered(image)));
    put_chunk(out, "IEND", {});
    return out;
}

} // namespace throng::demo
