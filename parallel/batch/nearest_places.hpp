// Where nearest calls write: answers have k places each, so blocks need no prefix sum. Internal.
#pragma once

#include "../../engine/answers/nearest_checks.hpp"
#include "state.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace throng {

template <std::size_t Dim>
struct Batch<Dim>::State::NearestPlaces {
    /// The places of `count` answers, from number `first` on.
    [[nodiscard]] static NearBuffer part_of(const NearBuffer& out, std::uint32_t k,
                                            std::size_t first, std::size_t count) noexcept {
        return {out.nearest.subspan(first * k, count * k), out.counts.subspan(first, count)};
    }
    /// The part's own places for the answers to its askers.
    [[nodiscard]] static NearBuffer aside(OutputPart& part, std::uint32_t k) {
        part.nearest.resize(part.askers.size() * k);
        part.counts.resize(part.askers.size());
        return {part.nearest, part.counts};
    }
    /// Copies the answers from the part to where they belong.
    static void scatter(const OutputPart& part, std::uint32_t k, const NearBuffer& out) noexcept {
        for (std::size_t i = 0; i < part.askers.size(); ++i) {
            if (i + kAhead < part.askers.size()) {
                const std::size_t ahead = part.askers[i + kAhead];
                __builtin_prefetch(out.nearest.data() + ahead * k, 1);
                __builtin_prefetch(out.counts.data() + ahead, 1);
            }
            const std::size_t asker = part.askers[i];
            std::copy_n(part.nearest.data() + i * k, k, out.nearest.data() + asker * k);
            out.counts[asker] = part.counts[i];
        }
    }

    /// Returns answer(buffer). If it fails or throws, hits that grow are empty, not half done.
    template <class Answer>
    static Found fill(const NearOutput& out, std::uint32_t k, std::size_t questions,
                      const Answer& answer) {
        if (out.growing == nullptr) { return answer({out.first, out.second}); }
        NearHits filling;
        std::swap(filling, *out.growing);
        if (const Status status = check_nearest(k, 0.0f); !status.ok()) { return {0, status}; }
        filling.k = k;
        filling.nearest.resize(questions * k);
        filling.counts.resize(questions);
        const Found found = answer(NearBuffer{filling.nearest, filling.counts});
        if (!found.ok()) {
            filling.k = 0;
            filling.nearest.clear();
            filling.counts.clear();
        }
        std::swap(filling, *out.growing);
        return found;
    }
};

} // namespace throng
