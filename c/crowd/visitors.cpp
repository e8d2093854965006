// Answers that are handed to functions of the host.
#include "../arrays.hpp"
#include "../pairing.hpp"
#include "../questions.hpp"
#include "../structs.hpp"
#include "crowd.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

using namespace throng::c;

throng_status throng_visit_one(const throng_crowd* crowd, const throng_questions* question,
                               throng_visitor visitor, void* user, uint64_t* visited) {
    return guarded([&] {
        const CrowdObject& asked = look_up(crowd, "crowd");
        const QuestionsReader given(question, kQuestion);
        if (visitor == nullptr) { refuse(THRONG_NULL_POINTER, "visitor"); }
        check_wanted(visited, "visited");
        const auto hand_over = [&](std::span<const throng::Id> ids) {
            return call_host([&] { return visitor(ids.data(), ids.size(), user) != 0; });
        };
        const throng::Found found = asked.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            return of.visit(given.shapes<Dim>(), hand_over, given.filters().of(0), given.sets());
        });
        if (found.status.ok()) { write_value<std::uint64_t>(found.count, visited); }
        return given.as_asked(found.status);
    });
}

throng_status throng_visit_pairs(const throng_crowd* crowd, const throng_pairing* pairing,
                                 throng_pair_visitor visitor, void* user, uint64_t* visited) {
    return guarded([&] {
        const CrowdObject& asked = look_up(crowd, "crowd");
        const Pairing wanted(pairing);
        if (visitor == nullptr) { refuse(THRONG_NULL_POINTER, "visitor"); }
        check_wanted(visited, "visited");
        const auto hand_over = [&](std::span<const throng::Id> first,
                                   std::span<const throng::Id> second) {
            return call_host(
                [&] { return visitor(first.data(), second.data(), first.size(), user) != 0; });
        };
        const throng::Found found =
            asked.ask([&](const auto& of) { return wanted.visit(of, hand_over); });
        if (found.status.ok()) { write_value<std::uint64_t>(found.count, visited); }
        return status_of(found.status, kPairing);
    });
}
