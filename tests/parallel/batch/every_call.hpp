// The base of objects that make a batch's calls by number.
#pragma once

#include "../../support/outputs.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::test {

/// A base of `Calls`, which must have kCount and make(call, batch). Each object keeps its outputs
/// from one call to the next, as a host does.
template <class Calls>
class EveryCall {
public:
    /// Makes all calls, which must succeed, and returns the hashes of their answers.
    template <class Batch>
    [[nodiscard]] std::vector<std::uint64_t> make_all(Batch& batch) {
        std::vector<std::uint64_t> hashes;
        for (std::size_t call = 0; call < Calls::kCount; ++call) {
            const Outcome outcome = static_cast<Calls&>(*this).make(call, batch);
            EXPECT_EQ(outcome.status, Status{}) << "call " << call;
            hashes.push_back(outcome.hash);
        }
        return hashes;
    }
    void forget() { out_.forget(); }

protected:
    EveryCall(std::size_t questions, std::size_t room) : out_(questions, room) {}

    Outputs out_;
};

} // namespace throng::test
