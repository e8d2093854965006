// The borrowed callable.
#include <throng/engine/core/function_ref.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <type_traits>

namespace throng {
namespace {

int twice(int x) { return 2 * x; }
short thrice(int x) noexcept { return static_cast<short>(3 * x); }
int call(FunctionRef<int(int)> f, int x) { return f(x); }

static_assert(sizeof(FunctionRef<void()>) == 2 * sizeof(void*));
static_assert(std::is_trivially_copyable_v<FunctionRef<int(int)>>);

TEST(FunctionRef, CallsALambdaWithItsCaptures) {
    int sum = 0;
    const auto add = [&sum](int x) {
        sum += x;
        return sum;
    };
    EXPECT_EQ(call(add, 3), 3);
    EXPECT_EQ(call(add, 4), 7);
    EXPECT_EQ(sum, 7);
    EXPECT_EQ(call([](int x) { return x + 1; }, 1), 2);
}

TEST(FunctionRef, RefersAndDoesNotCopy) {
    struct Unmovable {
        Unmovable() = default;
        Unmovable(const Unmovable&) = delete;
        Unmovable& operator=(const Unmovable&) = delete;
        int operator()(int x) const { return x + added; }
        int added = 10;
    };
    Unmovable object;
    const FunctionRef<int(int)> f = object;
    object.added = 20;
    EXPECT_EQ(f(1), 21);
}

TEST(FunctionRef, PrefersTheConstCall) {
    struct Both {
        const char* operator()() { return "changing"; }
        const char* operator()() const { return "const"; }
    };
    Both object;
    const FunctionRef<const char*()> f = object;
    EXPECT_STREQ(f(), "const");
}

TEST(FunctionRef, CallsPlainFunctionsAndPointersToThem) {
    EXPECT_EQ(call(twice, 4), 8);
    EXPECT_EQ(call(&twice, 4), 8);
    EXPECT_EQ(call(thrice, 4), 12) << "noexcept, and another result type";
    int (*pointer)(int) = twice;
    const FunctionRef<int(int)> kept = pointer;
    pointer = nullptr; // keeps the function, and not the address of the pointer
    EXPECT_EQ(kept(5), 10);
}

TEST(FunctionRef, CallsAStdFunction) {
    const std::function<int(int)> f = twice;
    EXPECT_EQ(call(f, 6), 12);
}

TEST(FunctionRef, DropsAnUnwantedResult) {
    int calls = 0;
    const auto counting = [&calls](int) { return ++calls; };
    const FunctionRef<void(int)> f = counting;
    f(0);
    EXPECT_EQ(calls, 1);
}

TEST(FunctionRef, PassesReferencesAndWhatCanOnlyBeMoved) {
    const auto append = [](std::string& text, std::unique_ptr<int> number) {
        text += std::to_string(*number);
    };
    const FunctionRef<void(std::string&, std::unique_ptr<int>)> f = append;
    std::string text = "n";
    f(text, std::make_unique<int>(7));
    EXPECT_EQ(text, "n7");

    const auto self = [](int& x) -> int& { return x; };
    const FunctionRef<int&(int&)> same = self;
    int value = 0;
    EXPECT_EQ(&same(value), &value);
}

TEST(FunctionRef, ACopyRefersToTheObjectAndNotToTheFirst) {
    const auto f = [](int x) { return x - 1; };
    const FunctionRef<int(int)> copy = [&f] {
        FunctionRef<int(int)> first = f;
        return FunctionRef<int(int)>(first);
    }();
    EXPECT_EQ(copy(5), 4);
}

TEST(FunctionRef, LetsExceptionsThrough) {
    EXPECT_THROW(call([](int) -> int { throw 1; }, 0), int);
}

TEST(FunctionRef, RefusesWhatItCouldNotCall) {
    const auto changing = [n = 0](int) mutable { return ++n; };
    static_assert(!std::is_constructible_v<FunctionRef<int(int)>, decltype(changing)>);
    static_assert(!std::is_constructible_v<FunctionRef<int(int)>, int (*)(std::string)>);
    static_assert(!std::is_constructible_v<FunctionRef<std::string(int)>, int (*)(int)>);
    static_assert(!std::is_constructible_v<FunctionRef<int(int)>, std::nullptr_t>);
    static_assert(!std::is_constructible_v<FunctionRef<int(int)>, int>);
    (void)changing;
}

} // namespace
} // namespace throng
