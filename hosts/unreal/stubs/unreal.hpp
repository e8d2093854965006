// As much of Unreal as the module uses, written after its documentation, so that the module is
// compiled and run where there is no Unreal. Every header that the module names leads here.
#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <thread>
#include <vector>

using int32 = std::int32_t;
using uint32 = std::uint32_t;
using uint64 = unsigned long long; // on Linux not std::uint64_t
using ANSICHAR = char;
using TCHAR = char16_t;
#define TEXT(text) u##text
#define MAX_int32 2147483647
enum { INDEX_NONE = -1 };
#define check(condition) assert(condition) // throng.h must do with such macros

// What Unreal's reader of headers replaces.
#define UCLASS(...)
#define UFUNCTION(...)
#define GENERATED_BODY()                                                                           \
public:                                                                                            \
    using Super = UWorldSubsystem;                                                                 \
                                                                                                   \
private:
#define THRONGCROWD_API

struct FVector {
    FVector(double InX, double InY, double InZ) : X(InX), Y(InY), Z(InZ) {}
    FVector operator-(const FVector& by) const { return {X - by.X, Y - by.Y, Z - by.Z}; }
    FVector operator*(double by) const { return {X * by, Y * by, Z * by}; }
    void operator+=(const FVector& by) { *this = {X + by.X, Y + by.Y, Z + by.Z}; }
    double X, Y, Z;
};

/// Its memory is gone, and elements are noticed that are not there.
template <class T>
class TArray {
public:
    TArray() = default;
    TArray(std::initializer_list<T> values) : values_(values) {}
    int32 Num() const { return static_cast<int32>(values_.size()); }
    T* GetData() { return values_.data(); }
    const T* GetData() const { return values_.data(); }
    T& operator[](int32 i) { return values_.at(static_cast<std::size_t>(i)); }
    const T& operator[](int32 i) const { return values_.at(static_cast<std::size_t>(i)); }
    void Add(const T& value) { values_.push_back(value); }
    void SetNumUninitialized(int32 count) { values_.assign(static_cast<std::size_t>(count), T()); }

private:
    std::vector<T> values_;
};

struct FMath {
    template <class T>
    static T Clamp(T value, T low, T high) {
        return std::clamp(value, low, high);
    }
    static float Sqrt(float value) { return std::sqrt(value); }
};

/// The last warning, which the test reads.
inline std::u16string stub_warning;
/// Takes the texts of Unreal and no others.
inline void stub_log(const TCHAR*, const TCHAR* text) { stub_warning = text; }
#define DEFINE_LOG_CATEGORY_STATIC(name, ...)                                                      \
    struct name {}
#define UE_LOG(category, verbosity, ...) stub_log(__VA_ARGS__)
inline std::u16string stub_wide(const char* text) {
    return std::u16string(text, text + std::char_traits<char>::length(text));
}
#define UTF8_TO_TCHAR(text) stub_wide(text).c_str()

/// How often loops ran, to see that the library's do.
inline std::atomic<int> stub_loops = 0;
/// On three threads, as Unreal's workers and the one that calls.
template <class Body>
void ParallelFor(int32 count, const Body& body) {
    ++stub_loops;
    std::atomic<int32> next = 0;
    const auto work = [&] {
        for (int32 i; (i = next++) < count;) {
            body(i);
        }
    };
    std::thread one(work), other(work);
    work();
    one.join();
    other.join();
}
struct FTaskGraphInterface {
    static FTaskGraphInterface& Get() {
        static FTaskGraphInterface only;
        return only;
    }
    int32 GetNumWorkerThreads() const { return 2; }
};

struct FSubsystemCollectionBase {};
class UWorldSubsystem {
public:
    virtual ~UWorldSubsystem() = default;
    virtual void Initialize(FSubsystemCollectionBase&) {}
    virtual void Deinitialize() {}
};

struct FDefaultModuleImpl {};
#define IMPLEMENT_MODULE(type, name) inline type stub_module_##name;
