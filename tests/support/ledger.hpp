// A memory source that records what it gives out.
#pragma once

#include <throng/engine/memory/memory_source.hpp>

#include "system/aligned_block.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

namespace throng::test {

/// Takes memory from malloc(), not from operator new, so that tests can count other calls of
/// operator new. Fills memory with garbage when it gives it. A block that comes back must be one
/// that was given, with the bytes around it unchanged; at the end all blocks must be back.
class Ledger final : public MemorySource {
public:
    /// `cap`: the most bytes given out at any time.
    explicit Ledger(std::size_t cap = ~std::size_t{0}) noexcept : cap_(cap) {}
    Ledger(const Ledger&) = delete;
    Ledger& operator=(const Ledger&) = delete;
    ~Ledger() override {
        EXPECT_EQ(used_, 0u);
        EXPECT_EQ(faults_, 0u);
    }

    [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) noexcept override {
        const std::lock_guard lock(mutex_);
        if (bytes == 0 || (alignment & (alignment - 1)) != 0) { ++faults_; }
        if (bytes > cap_ - used_) {
            ++refused_;
            return nullptr;
        }
        const std::size_t lead = lead_of(alignment);
        const std::size_t all = (lead + bytes + sizeof(Mark) + lead - 1) / lead * lead;
        auto* const block = static_cast<std::byte*>(aligned_block(lead, all));
        if (block == nullptr) { return nullptr; }
        std::memset(block, 0xA5, all);
        const Mark mark{kMagic ^ bytes, alignment};
        std::memcpy(block + lead - sizeof mark, &mark, sizeof mark);
        std::memcpy(block + lead + bytes, &mark, sizeof mark);
        used_ += bytes;
        peak_ = std::max(peak_, used_);
        ++given_;
        note_thread();
        return block + lead;
    }

    void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override {
        const std::lock_guard lock(mutex_);
        auto* const given = static_cast<std::byte*>(memory);
        const Mark wanted{kMagic ^ bytes, alignment};
        if (std::memcmp(given - sizeof wanted, &wanted, sizeof wanted) != 0 ||
            std::memcmp(given + bytes, &wanted, sizeof wanted) != 0) {
            ++faults_;
            return;
        }
        used_ -= bytes;
        std::memset(given - sizeof wanted, 0, sizeof wanted); // so that a second return fails
        free_aligned(given - lead_of(alignment));
    }

    void set_cap(std::size_t cap) noexcept { cap_ = cap; }

    [[nodiscard]] std::size_t used() const noexcept { return used_; }
    [[nodiscard]] std::size_t peak() const noexcept { return peak_; }
    /// How often it has given memory, and below, how often it has refused.
    [[nodiscard]] std::size_t given() const noexcept { return given_; }
    [[nodiscard]] std::size_t refused() const noexcept { return refused_; }
    /// Whether the calling thread has ever been given memory, and below, whether another thread
    /// has.
    [[nodiscard]] bool gave_to_caller() const noexcept {
        return std::find(begin(), end(), std::this_thread::get_id()) != end();
    }
    [[nodiscard]] bool gave_to_others() const noexcept {
        return std::any_of(begin(), end(),
                           [](std::thread::id id) { return id != std::this_thread::get_id(); });
    }

private:
    struct Mark {
        std::uint64_t bytes, alignment;
    };
    static constexpr std::uint64_t kMagic = 0x5EED'F00D'CAFE'0000u;

    static std::size_t lead_of(std::size_t alignment) noexcept {
        return std::max<std::size_t>(alignment, 64);
    }
    void note_thread() noexcept {
        if (threads_ < thread_.size() && !gave_to_caller()) {
            thread_[threads_++] = std::this_thread::get_id();
        }
    }
    [[nodiscard]] const std::thread::id* begin() const noexcept { return thread_.data(); }
    [[nodiscard]] const std::thread::id* end() const noexcept { return thread_.data() + threads_; }

    std::mutex mutex_;
    std::size_t cap_;
    std::size_t used_ = 0, peak_ = 0, given_ = 0, refused_ = 0, faults_ = 0;
    std::array<std::thread::id, 16> thread_{};
    std::size_t threads_ = 0;
};

} // namespace throng::test
