// The pairs that a call is about.
#pragma once

#include "../engine/crowd/sets.hpp"
#include "../parallel/batch/batch.hpp"
#include "../parallel/frames/contacts.hpp"
#include "arrays.hpp"
#include "questions.hpp"
#include "structs.hpp"

#include <cstdint>

namespace throng::c {

/// The checked arguments of a call about pairs.
struct Pairing {
    PairSets sets;
    std::uint32_t groups;
    float within;
    Body body;

    /// Null: all pairs of agents.
    explicit Pairing(const throng_pairing* from) {
        const throng_pairing given =
            from == nullptr ? Layout<throng_pairing>::defaults() : read(from, "pairing");
        sets = pair_sets_of(given.sets, "pairing.sets");
        groups = given.groups;
        within = given.within;
        body = static_cast<Body>(given.body);
        if (given.reserved != 0) { refuse(THRONG_WRONG_VALUE, "pairing.reserved"); }
        if (given.reserved_too != 0) { refuse(THRONG_WRONG_VALUE, "pairing.reserved_too"); }
        // Points do not overlap, so for overlaps the default body means boxes.
        if (within < 0.0f && body == Body::centre) { body = Body::box; }
    }

    /// Lists the pairs, or counts them.
    template <std::size_t Dim>
    Found list(throng::Batch<Dim>& batch, const throng::Crowd<Dim>& crowd,
               const PairsOutput& out) const {
        return within < 0.0f ? batch.pairs({crowd, sets}, out, groups, body)
                             : batch.pairs_within({crowd, sets}, within, out, groups, body);
    }
    template <std::size_t Dim>
    Found count(throng::Batch<Dim>& batch, const throng::Crowd<Dim>& crowd) const {
        return within < 0.0f
                   ? batch.count_pairs({crowd, sets}, groups, body)
                   : batch.pairs_within({crowd, sets}, within, PairsOutput{}, groups, body);
    }
    /// Visits the pairs. Throws Refused unless they are overlaps.
    template <std::size_t Dim>
    Found visit(const throng::Crowd<Dim>& crowd, IndexPairVisitor visitor) const {
        if (!(within < 0.0f)) { refuse(THRONG_WRONG_VALUE, "pairing.within"); }
        return crowd.visit_pairs(sets, visitor, groups, body);
    }
    /// Takes the next frame of pairs.
    template <std::size_t Dim>
    Status update(throng::Contacts<Dim>& contacts, const throng::Crowd<Dim>& crowd) const {
        return within < 0.0f ? contacts.update({crowd, sets}, groups, body)
                             : contacts.update_within({crowd, sets}, within, groups, body);
    }
};

inline constexpr Names kPairing = {.radius = "pairing.within", .body = "pairing.body"};

} // namespace throng::c
