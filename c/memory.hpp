// Memory of a host, and how much of it crowds have taken.
#pragma once

#include "../engine/memory/capped_memory.hpp"
#include "../engine/memory/memory_source.hpp"
#include "held.hpp"

#include <memory>

namespace throng::c {

/// Memory from a host's two functions, up to the cap.
class HostMemory {
public:
    explicit HostMemory(const throng_memory_settings& settings) noexcept;

    [[nodiscard]] CappedMemory& source() noexcept { return capped_; }

private:
    class Callbacks final : public MemorySource {
    public:
        explicit Callbacks(const throng_memory_settings& settings) noexcept : settings_(settings) {}
        [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) noexcept override;
        void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override;

    private:
        throng_memory_settings settings_;
    };

    Callbacks callbacks_;
    CappedMemory capped_;
};

/// Kept alive by every object that takes memory from it.
struct MemoryObject {
    std::shared_ptr<HostMemory> memory;
};

template <>
struct Held<throng_memory> {
    using Object = MemoryObject;
    static constexpr Kind kKind = Kind::memory;
};

} // namespace throng::c
