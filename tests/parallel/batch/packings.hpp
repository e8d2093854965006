// Counts when a batch packs a tree for paths.
#pragma once

#include <throng/engine/core/profile.hpp>

#include <cstring>

namespace throng::test {

/// Counts how often a batch on this thread packs a tree.
class Packings {
public:
    Packings() { before_ = set_profile_hooks(&hooks_); }
    Packings(const Packings&) = delete;
    Packings& operator=(const Packings&) = delete;
    ~Packings() { set_profile_hooks(before_); }

    /// The number of packings since the last call.
    [[nodiscard]] int count() {
        const int counted = count_;
        count_ = 0;
        return counted;
    }

private:
    static void begin(const char* name, void* user) noexcept {
        auto& packings = *static_cast<Packings*>(user);
        packings.count_ += std::strcmp(name, "Batch::pack_tree") == 0 ? 1 : 0;
    }
    static void end(const char*, void*) noexcept {}

    ProfileHooks hooks_{begin, end, this};
    const ProfileHooks* before_;
    int count_ = 0;
};

} // namespace throng::test
