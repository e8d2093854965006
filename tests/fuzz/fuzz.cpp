// Shared by all targets: a failed assertion prints its line and ends the program.
#include "fuzz.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace {

/// The default listener prints the failure and its line before this one runs.
class EndAtOnce final : public testing::EmptyTestEventListener {
    void OnTestPartResult(const testing::TestPartResult& result) override {
        if (result.failed()) { std::abort(); }
    }
};

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t*, std::size_t);

int LLVMFuzzerInitialize(int*, char***) {
    testing::InitGoogleTest();
    testing::UnitTest::GetInstance()->listeners().Append(new EndAtOnce);
    return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    throng::fuzz::Input input(data, size);
    throng::fuzz::run(input);
    return 0;
}
