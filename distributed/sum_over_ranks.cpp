#include "sum_over_ranks.hpp"

#include "agreement.hpp"

#include <bit>
#include <cstddef>
#include <cstring>

namespace throng {

Status SumOverRanks::exchange(std::uint32_t to, std::uint32_t from,
                              std::span<const std::uint64_t> words) {
    arrivals_.clear();
    const Parcel parcel = {to, std::as_bytes(words)};
    Status own = without_throwing([&] {
        return ranks_.begin_exchange({&parcel, to == kNone ? 0u : 1u},
                                     {&from, from == kNone ? 0u : 1u});
    });
    if (own.cause == Cause::rank_lost) { return own; }
    const Status finished = without_throwing([&] { return ranks_.finish_exchange(arrivals_); });
    return own.ok() || finished.cause == Cause::rank_lost ? finished : own;
}

template <class Take>
Status SumOverRanks::take(std::span<std::uint64_t> words, const Take& take) const {
    for (const Arrival& arrival : arrivals_) {
        const std::size_t size = arrival.bytes.size();
        std::uint64_t word = 1; // the last word: whether the sums are incomplete
        if (size >= sizeof word) {
            std::memcpy(&word, arrival.bytes.data() + size - sizeof word, sizeof word);
        }
        if (size == 0 || word != 0) { return {Cause::over_memory, Argument::memory}; }
        if (size != words.size_bytes()) {
            return {Cause::count_mismatch, Argument::arrays, arrival.from};
        }
        for (std::size_t i = 0; i < words.size(); ++i) {
            std::memcpy(&word, arrival.bytes.data() + i * sizeof word, sizeof word);
            take(words[i], word);
        }
    }
    return {};
}

Status SumOverRanks::add(const Status& before, std::vector<std::uint64_t>& words) {
    Status own = before;
    const auto fail = [&](const Status& status) {
        if (own.ok() || status.cause == Cause::rank_lost) { own = status; }
        if (!status.ok() && !words.empty()) { words.back() = 1; }
    };
    if (!own.ok()) { words.clear(); }
    fail(without_throwing([&] {
        words.push_back(own.ok() ? 0 : 1);
        return Status{};
    }));
    const std::uint32_t here = ranks_.rank(), size = ranks_.size();
    const std::uint32_t most = std::bit_floor(size); // further ranks send first, receive sums last
    const std::uint32_t other = here < most ? here + most : here - most;
    const std::uint32_t beside = other < size ? other : kNone;
    const bool is_extra = here >= most;
    const auto step = [&](std::uint32_t to, std::uint32_t from, const auto& take_word) {
        if (own.cause == Cause::rank_lost) { return; }
        const Status status = exchange(to, from, words);
        fail(status.ok() ? take(words, take_word) : status);
    };
    const auto add_word = [](std::uint64_t& sum, std::uint64_t word) { sum += word; };
    const auto set_word = [](std::uint64_t& sum, std::uint64_t word) { sum = word; };
    if (most != size) { step(is_extra ? beside : kNone, is_extra ? kNone : beside, add_word); }
    for (std::uint32_t bit = 1; bit < most; bit *= 2) {
        const std::uint32_t partner = is_extra ? kNone : here ^ bit;
        step(partner, partner, add_word);
    }
    if (most != size) { step(is_extra ? kNone : beside, is_extra ? beside : kNone, set_word); }
    return own;
}

} // namespace throng
