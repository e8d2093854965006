// The version of the library, and the instruction set that it uses.
#include "../simd/isa/isa.hpp"
#include "../simd/isa/version.hpp"
#include "boundary.hpp"

using namespace throng::c;

throng_status throng_check_abi(uint32_t abi) {
    return abi == THRONG_ABI ? kOk : status_with(THRONG_WRONG_ABI, "abi");
}

#define THRONG_TEXT_OF(number) #number
#define THRONG_TEXT(number) THRONG_TEXT_OF(number)
const char* throng_version(void) {
    return THRONG_TEXT(THRONG_VERSION_MAJOR) "." THRONG_TEXT(THRONG_VERSION_MINOR) "." THRONG_TEXT(
        THRONG_VERSION_PATCH);
}

const char* throng_isa(void) { return throng::to_string(throng::active_isa()); }
