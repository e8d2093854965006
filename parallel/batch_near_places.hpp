// Where the answers to questions who is nearest go: each has its place before it is known.
// Internal.
#pragma once

#include "../engine/nearest_ask.hpp"
#include "batch_state.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace throng {

template <std::size_t Dim>
struct Batch<Dim>::NearPlaces {
    /// The places of `count` answers, from number `first` on.
    [[nodiscard]] static NearBuffer part_of(const NearBuffer& out, std::uint32_t k,
                                            std::size_t first, std::size_t count) noexcept {
        return {out.nearest.subspan(first * k, count * k), out.counts.subspan(first, count)};
    }
    /// The part's own places for the answers to its askers.
    [[nodiscard]] static NearBuffer aside(JoinedPart& part, std::uint32_t k) {
        part.nearest.resize(part.askers.size() * k);
        part.counts.resize(part.askers.size());
        return {part.nearest, part.counts};
    }
    /// From there to where they belong.
    static void strew(const JoinedPart& part, std::uint32_t k, const NearBuffer& out) noexcept {
        for (std::size_t i = 0; i < part.askers.size(); ++i) {
            if (i + State::kAhead < part.askers.size()) {
                const std::size_t ahead = part.askers[i + State::kAhead];
                __builtin_prefetch(out.nearest.data() + ahead * k, 1);
                __builtin_prefetch(out.counts.data() + ahead, 1);
            }
            const std::size_t asker = part.askers[i];
            std::copy_n(part.nearest.data() + i * k, k, out.nearest.data() + asker * k);
            out.counts[asker] = part.counts[i];
        }
    }

    /// body(buffer) for hits that grow; if it fails, or throws, they are empty and not half done.
    template <class Body>
    static Status fill(NearHits& hits, std::uint32_t k, std::size_t questions, const Body& body) {
        NearHits filling;
        std::swap(filling, hits);
        Status status = check_nearest(k, 0.0f);
        if (!status.ok()) { return status; }
        filling.k = k;
        filling.nearest.resize(questions * k);
        filling.counts.resize(questions);
        status = body(NearBuffer{filling.nearest, filling.counts}).status;
        if (!status.ok()) {
            filling.k = 0;
            filling.nearest.clear();
            filling.counts.clear();
        }
        std::swap(filling, hits);
        return status;
    }
};

} // namespace throng
