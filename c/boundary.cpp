#include "boundary.hpp"

#include <new>
#include <stdexcept>
#include <system_error>

namespace throng::c {

void refuse(throng_code code, const char* argument, std::uint64_t index) {
    throw Refused{status_with(code, argument, index)};
}

throng_status status_of_exception() noexcept {
    try {
        throw;
    } catch (const Refused& refused) { return refused.status; } catch (const std::bad_alloc&) {
        return status_with(THRONG_OUT_OF_MEMORY, "heap");
    } catch (const std::length_error&) {
        return status_with(THRONG_TOO_MANY, "count");
    } catch (const std::system_error&) {
        return status_with(THRONG_SYSTEM_FAILED, "system");
    } catch (...) { return status_with(THRONG_CALLBACK_THREW, "callbacks"); }
}

} // namespace throng::c
