#include "truth.hpp"

#include <algorithm>
#include <vector>

namespace throng::bench {

template <std::size_t Dim>
bool balls_are_right(const Crowd<Ball, Dim>& crowd, std::span<const Id> askers, const Hits& hits,
                     std::size_t samples, Self self) {
    if (hits.offsets.size() != askers.size() + 1) { return false; }
    for (std::size_t i = 0; i < samples; ++i) {
        const std::size_t k = i * askers.size() / samples;
        std::vector<Id> wanted = crowd.look_at_all(crowd.around(askers[k]));
        if (self == Self::left_out) { std::erase(wanted, askers[k]); }
        const std::span<const Id> answer = hits.of(k);
        if (!std::equal(answer.begin(), answer.end(), wanted.begin(), wanted.end())) {
            return false;
        }
    }
    return true;
}

template <std::size_t Dim>
bool pairs_are_right(const Crowd<Box, Dim>& crowd, const Pairs& pairs, std::size_t samples) {
    struct Partners {
        std::vector<Id> before, after; // in canonical order
    };
    const std::vector<Id>& agents = crowd.in_storage_order();
    std::vector<Partners> partners(samples);
    std::vector<std::size_t> sample_of(crowd.scene().size(), samples);
    for (std::size_t i = 0; i < samples; ++i) {
        sample_of[agents[i * agents.size() / samples]] = i;
    }
    for (std::uint64_t p = 0; p < pairs.count; ++p) {
        const Id first = pairs.first[p];
        const Id second = pairs.second[p];
        if (sample_of[first] != samples) { partners[sample_of[first]].after.push_back(second); }
        if (sample_of[second] != samples) { partners[sample_of[second]].before.push_back(first); }
    }
    for (std::size_t i = 0; i < samples; ++i) {
        const Id id = agents[i * agents.size() / samples];
        const std::vector<Id> wanted = crowd.look_at_all(
            Box<Dim>::around(crowd.position_of(id), crowd.scene().common_half_extent));
        // An agent overlaps itself. In pairs it comes second after earlier agents, and first before
        // later ones.
        std::vector<Id> found = partners[sample_of[id]].before;
        found.push_back(id);
        const std::vector<Id>& after = partners[sample_of[id]].after;
        found.insert(found.end(), after.begin(), after.end());
        if (found != wanted) { return false; }
    }
    return true;
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template bool balls_are_right(const Crowd<Ball, Dim>&, std::span<const Id>, const Hits&,       \
                                  std::size_t, Self);                                              \
    template bool pairs_are_right(const Crowd<Box, Dim>&, const Pairs&, std::size_t);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng::bench
