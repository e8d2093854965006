#include "agreement.hpp"

#include <array>

namespace throng {

namespace {

constexpr std::uint64_t kNone = ~std::uint64_t{0};

/// A refusal in one word, ordered by rank: the minimum is the refusal of the lowest rank. The index
/// does not fit.
std::uint64_t packed(const Status& status, std::uint32_t rank) noexcept {
    return std::uint64_t{rank} << 16 | std::uint64_t{static_cast<std::uint8_t>(status.cause)} << 8 |
           static_cast<std::uint8_t>(status.argument);
}

} // namespace

Status Agreement::begin(std::uint64_t call, const Status& own, std::uint64_t word) {
    own_ = own;
    // Ranks can agree on minimums only. The complement of the smallest complement is the maximum;
    // if minimum and maximum are equal, all ranks make the same call.
    const std::array<std::uint64_t, 4> words = {
        call, ~call, own.ok() ? kNone : packed(own, ranks_.rank()), word};
    return or_lost([&] { return ranks_.begin_agree(words); });
}

Status Agreement::finish() {
    std::array<std::uint64_t, 4> words{};
    const Status agreed = or_lost([&] { return ranks_.finish_agree(words); });
    if (!agreed.ok()) { return agreed; }
    if (words[0] != ~words[1]) { return {Cause::ranks_differ}; }
    word_ = words[3];
    if (words[2] == kNone) { return {}; }
    refused_by_ = static_cast<std::uint32_t>(words[2] >> 16);
    std::array<std::uint64_t, 1> index = {refused_by_ == ranks_.rank() ? own_.index : kNone};
    const Status told = or_lost([&] {
        const Status begun = ranks_.begin_agree(index);
        return begun.ok() ? ranks_.finish_agree(index) : begun;
    });
    if (!told.ok()) { return told; }
    return {static_cast<Cause>(words[2] >> 8 & 0xFF), static_cast<Argument>(words[2] & 0xFF),
            index[0]};
}

} // namespace throng
