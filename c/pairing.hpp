// Which pairs a call is about.
#pragma once

#include "../engine/crowd/sets.hpp"
#include "../parallel/batch/batch.hpp"
#include "../parallel/frames/contacts.hpp"
#include "arrays.hpp"
#include "questions.hpp"
#include "structs.hpp"

#include <cstdint>

namespace throng::c {

/// Which pairs are wanted.
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
        // Points do not overlap: the default says nothing about the bodies of pairs that do.
        if (within < 0.0f && body == Body::centre) { body = Body::box; }
    }

    /// The pairs, or their number, as a Status or Found.
    template <std::size_t Dim, class Out>
    auto list(throng::Batch<Dim>& batch, const throng::Crowd<Dim>& crowd, Out&& out) const {
        return within < 0.0f ? batch.pairs(crowd, out, sets, groups, body)
                             : batch.pairs_within(crowd, within, out, sets, groups, body);
    }
    template <std::size_t Dim>
    Found count(throng::Batch<Dim>& batch, const throng::Crowd<Dim>& crowd) const {
        return within < 0.0f ? batch.count_pairs(crowd, sets, groups, body)
                             : batch.pairs_within(crowd, within, PairsBuffer{}, sets, groups, body);
    }
    /// Visits the pairs, which must be some that overlap. Throws Refused for others.
    template <std::size_t Dim>
    Found visit(const throng::Crowd<Dim>& crowd, IndexPairVisitor visitor) const {
        if (!(within < 0.0f)) { refuse(THRONG_WRONG_VALUE, "pairing.within"); }
        return crowd.visit_pairs(sets, visitor, groups, body);
    }
    /// The next frame of pairs, as a Status.
    template <std::size_t Dim>
    Status update(throng::Contacts<Dim>& contacts, const throng::Crowd<Dim>& crowd) const {
        return within < 0.0f ? contacts.update(crowd, sets, groups, body)
                             : contacts.update_within(crowd, within, sets, groups, body);
    }
};

inline constexpr Names kPairing = {.radius = "pairing.within", .body = "pairing.body"};

} // namespace throng::c
