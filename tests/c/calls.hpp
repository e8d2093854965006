// Helpers that build the tables of calls.
#pragma once

#include "rig.hpp"

#include <cstddef>
#include <vector>

namespace throng::test {

inline constexpr HandleOf kCrowd = {Kind::crowd, "crowd"};
inline constexpr HandleOf kBatch = {Kind::batch, "batch"};
inline constexpr HandleOf kExecutor = {Kind::executor, "executor", true};
inline constexpr HandleOf kPublished = {Kind::published, "published"};
inline constexpr HandleOf kSnapshot = {Kind::snapshot, "snapshot"};
inline constexpr HandleOf kMemory = {Kind::memory, "memory"};
inline constexpr HandleOf kChange = {Kind::change, "change"};
inline constexpr HandleOf kContacts = {Kind::contacts, "contacts"};
inline constexpr HandleOf kObstacles = {Kind::obstacles, "obstacles"};
inline constexpr HandleOf kLasting = {Kind::lasting, "lasting"};
/// A handle that may be NULL in the call that destroys it.
constexpr HandleOf or_null(HandleOf handle) { return {handle.kind, handle.name, true}; }

template <auto kMember>
StructOf in(const char* name, bool may_be_null = false) {
    return {given<kMember>, name, may_be_null};
}

/// How to spoil an array that a call writes to.
template <auto kMember>
ArrayOf written(const char* name) {
    return {name, [](Rig& rig, std::ptrdiff_t shift, bool is_null, bool is_short) {
                auto& array = rig.*kMember;
                array.shift = shift;
                array.is_null = is_null;
                array.room -= is_short ? 1 : 0;
            }};
}

/// The calls about obstacles, and those about single agents; calls() includes both.
[[nodiscard]] std::vector<Call> obstacle_calls();
[[nodiscard]] std::vector<Call> agent_calls();

} // namespace throng::test
