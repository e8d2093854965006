// Which library this is.
#include "../simd/isa.hpp"
#include "boundary.hpp"

using namespace throng::c;

throng_status throng_check_abi(uint32_t abi) {
    return abi == THRONG_ABI ? kOk : status_with(THRONG_WRONG_ABI, "abi");
}

const char* throng_version(void) { return THRONG_VERSION; }

const char* throng_isa(void) { return throng::to_string(throng::active_isa()); }
