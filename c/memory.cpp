#include "memory.hpp"

#include "../engine/memory/capped_memory.hpp"
#include "arrays.hpp"
#include "structs.hpp"

#include <cstddef>
#include <limits>

namespace throng::c {

void* HostMemory::Callbacks::allocate(std::size_t bytes, std::size_t alignment) noexcept {
    // Called deep inside the engine, where null is the only refusal.
    void* memory = nullptr;
    (void)guarded([&] {
        memory = settings_.allocate(bytes, alignment, settings_.user);
        return kOk;
    });
    return memory;
}

void HostMemory::Callbacks::deallocate(void* memory, std::size_t bytes,
                                       std::size_t alignment) noexcept {
    (void)guarded([&] {
        settings_.deallocate(memory, bytes, alignment, settings_.user);
        return kOk;
    });
}

HostMemory::HostMemory(const throng_memory_settings& settings) noexcept
    : callbacks_(settings),
      capped_(settings.cap == 0 ? std::numeric_limits<std::size_t>::max() : settings.cap,
              settings.allocate == nullptr ? nullptr : &callbacks_) {}

} // namespace throng::c

using namespace throng::c;

throng_status throng_memory_create(const throng_memory_settings* settings, throng_memory** out) {
    return guarded([&] {
        const throng_memory_settings given = read(settings, "settings");
        check_out(out, "out");
        if (given.allocate == nullptr && given.deallocate != nullptr) {
            refuse(THRONG_NULL_POINTER, "settings.allocate");
        }
        if (given.deallocate == nullptr && given.allocate != nullptr) {
            refuse(THRONG_NULL_POINTER, "settings.deallocate");
        }
        hand_out(std::make_unique<MemoryObject>(MemoryObject{std::make_shared<HostMemory>(given)}),
                 *out);
        return kOk;
    });
}

throng_status throng_memory_destroy(throng_memory* memory) { return end(memory, "memory"); }

throng_status throng_memory_count(const throng_memory* memory, throng_memory_counts* out) {
    return guarded([&] {
        const throng::CappedMemory& source = look_up(memory, "memory").memory->source();
        throng_memory_counts counts = read(out, "out");
        counts.used = source.used();
        counts.peak = source.peak();
        counts.refused = source.refused();
        write(counts, out);
        return kOk;
    });
}
