// A borrowed callable: two words, no allocation, valid for the call it is passed to.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace throng {

template <class Signature>
class FunctionRef;

/// Refers to a lambda, a function object or a plain function, and never owns it: a parameter type,
/// not a member. Function objects are called as const, so that one body can run on many threads at
/// once; a lambda that needs `mutable` is refused.
template <class Result, class... Args>
class FunctionRef<Result(Args...)> {
public:
    // By const reference, so that copying a FunctionRef never binds here. Implicit, so that a
    // lambda can be passed as it is.
    template <class F>
    requires(std::is_class_v<F>&& std::is_invocable_r_v<Result, const F&, Args...>)
        FunctionRef(const F& f)
    noexcept
        : callee_{.object = std::addressof(f)}, call_([](Callee callee, Args... args) -> Result {
              return as_result(*static_cast<const F*>(callee.object), std::forward<Args>(args)...);
          }) {}

    /// Keeps the pointer to a plain function, so here nothing needs to outlive the FunctionRef. The
    /// pointer must not be null.
    template <class F>
    requires(std::is_function_v<F>&& std::is_invocable_r_v<Result, F*, Args...>)
        FunctionRef(F* function)
    noexcept
        : callee_{.function = reinterpret_cast<void (*)()>(function)},
          call_([](Callee callee, Args... args) -> Result {
              return as_result(*reinterpret_cast<F*>(callee.function), std::forward<Args>(args)...);
          }) {}

    Result operator()(Args... args) const { return call_(callee_, std::forward<Args>(args)...); }

private:
    // Pointers to functions and pointers to objects may differ in size.
    union Callee {
        const void* object;
        void (*function)();
    };

    template <class F>
    static Result as_result(F& f, Args... args) {
        if constexpr (std::is_void_v<Result>) {
            f(std::forward<Args>(args)...);
        } else {
            return f(std::forward<Args>(args)...);
        }
    }

    Callee callee_;
    Result (*call_)(Callee, Args...);
};

} // namespace throng
