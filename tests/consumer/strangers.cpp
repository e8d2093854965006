// A library that exports four foreign or internal symbols, and three of the API.
namespace throng {

template <int Dim>
struct Crowd {
    struct State {
        void forget();
    };
    void update(const State& state);
};

template <>
void Crowd<2>::State::forget() {}
template <>
void Crowd<2>::update(const State&) {}

namespace simd {
void find() {}
} // namespace simd

void answer(void (*)(const Crowd<2>::State&)) {}

} // namespace throng

void helper(throng::Crowd<2>*) {}

extern "C" void kernel() {}
extern "C" void throng_answer() {}
