// Takes the candidates of a search out of its kernel. Internal to the engine.
#pragma once

#include "../../../simd/kernels/tree/tree_seek.hpp"

#include <cstdint>
#include <exception>

namespace throng::obstacle {

/// Keeps an exception that `call` throws until the kernel has returned: none may pass through it.
template <class Call>
struct Collector {
    const Call& call; ///< takes a candidate
    float limit;
    std::exception_ptr thrown{};

    static float test(void* context, std::uint32_t candidate) noexcept {
        auto& self = *static_cast<Collector*>(context);
        try {
            self.call(candidate);
        } catch (...) {
            self.thrown = std::current_exception();
            return -1.0f;
        }
        return self.limit;
    }
};

/// Calls seek(test), where the test hands each candidate to `call`.
template <class Seek, class Call>
void collect(float limit, const Seek& seek, const Call& call) {
    Collector<Call> collector = {call, limit};
    seek(simd::SeekTest{&collector, Collector<Call>::test, false});
    if (collector.thrown) { std::rethrow_exception(collector.thrown); }
}

} // namespace throng::obstacle
