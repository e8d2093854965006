// Names the best instruction set of this machine for THRONG_ISAS=native.
#include <cstdio>

#include "../simd/isa/x86_features.cpp"

int main() {
    const throng::simd::X86Features has = throng::simd::x86_features();
    std::fputs(has.avx512 ? "avx512" : has.avx2 ? "avx2" : has.sse42 ? "sse4.2" : "scalar", stdout);
}
