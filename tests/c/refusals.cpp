#include "refusals.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace throng::test {

std::string text_of(const throng_status& status) {
    std::string text(throng_status_text(status, nullptr, 0), '?');
    (void)throng_status_text(status, text.data(), text.size() + 1);
    return text;
}

void ok(const throng_status& status) { EXPECT_EQ(status.code, THRONG_OK) << text_of(status); }

throng_status expect_refused(const Call& call, std::uint32_t dimension, int code,
                             const std::string& argument, const std::function<void(Rig&)>& spoil) {
    Rig rig(dimension);
    const auto before = rig.answers();
    spoil(rig);
    const throng_status status = call.make(rig);
    EXPECT_EQ(status.code, code) << call.name << ": " << text_of(status);
    EXPECT_EQ(status.reserved, 0u);
    EXPECT_EQ(status.argument, argument) << call.name << ": " << text_of(status);
    EXPECT_EQ(rig.answers(), before) << call.name;
    return status;
}

void expect_ok(const Call& call, std::uint32_t dimension, const std::function<void(Rig&)>& spoil) {
    Rig rig(dimension);
    spoil(rig);
    const throng_status status = call.make(rig);
    EXPECT_EQ(status.code, THRONG_OK) << call.name << ": " << text_of(status);
}

void* dead(Kind kind) {
    Rig rig(2);
    return rig.handles[static_cast<std::size_t>(kind)];
}

void* of_bits(std::uintptr_t bits) {
    void* handle = nullptr;
    std::memcpy(&handle, &bits, sizeof bits);
    return handle;
}

void* misaligned(const void* array) {
    std::uintptr_t bits = 0;
    std::memcpy(&bits, &array, sizeof bits);
    return of_bits(bits + 2);
}

} // namespace throng::test
