// Callers' arrays in C, read in place as the C++ types that they stand for.
#pragma once

#include "../engine/agents/filter.hpp"
#include "../engine/agents/found.hpp"
#include "../engine/agents/handles.hpp"
#include "../engine/agents/nearest.hpp"
#include "../engine/shapes/shapes.hpp"
#include "../throng.h"
#include "boundary.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace throng::c {

/// Whether a C++ type and its type in C have equal sizes and alignments, and are plain bytes.
template <class Cpp, class C>
inline constexpr bool kSameLayout =
    sizeof(Cpp) == sizeof(C) &&
    std::alignment_of_v<Cpp> ==
        std::alignment_of_v<C>&& std::is_standard_layout_v<Cpp>&& std::is_trivially_copyable_v<Cpp>;

#define THRONG_SAME(Cpp, C) static_assert(kSameLayout<Cpp, C>)
#define THRONG_SAME_FIELD(Cpp, C, field) static_assert(offsetof(Cpp, field) == offsetof(C, field))
// Compares the size of shapes; tests/c/same_test.cpp compares their fields.
#define THRONG_FOR_SHAPE(Shape, kind, KIND)                                                        \
    THRONG_SAME(Shape<2>, throng_##kind##2);                                                       \
    THRONG_SAME(Shape<3>, throng_##kind##3);
THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE
#define THRONG_FOR_DIM(Dim)                                                                        \
    THRONG_SAME(HalfSpace<Dim>, throng_side##Dim);                                                 \
    THRONG_SAME_FIELD(HalfSpace<Dim>, throng_side##Dim, normal);                                   \
    THRONG_SAME_FIELD(HalfSpace<Dim>, throng_side##Dim, offset);                                   \
    static_assert(sizeof(Point<Dim>) == sizeof(float[Dim]));
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM
THRONG_SAME(Filter, throng_filter);
THRONG_SAME_FIELD(Filter, throng_filter, groups);
THRONG_SAME_FIELD(Filter, throng_filter, without);
THRONG_SAME(PathHit, throng_meeting);
THRONG_SAME_FIELD(PathHit, throng_meeting, time);
THRONG_SAME_FIELD(PathHit, throng_meeting, id);
THRONG_SAME(Near, throng_near);
THRONG_SAME_FIELD(Near, throng_near, distance2);
THRONG_SAME_FIELD(Near, throng_near, id);
THRONG_SAME(Handle, throng_agent_handle);
THRONG_SAME_FIELD(Handle, throng_agent_handle, slot);
THRONG_SAME_FIELD(Handle, throng_agent_handle, generation);
THRONG_SAME_FIELD(Handle, throng_agent_handle, owner);
#undef THRONG_SAME
#undef THRONG_SAME_FIELD
static_assert(std::is_same_v<Id, std::uint32_t>);

/// Limits for arrays of a type, computed ahead: two divisions where the type is known only at run
/// time would take a tenth of a call with one question.
struct Element {
    std::uintptr_t misaligned; ///< bits that must be zero in an address
    std::size_t most;          ///< in one array

    template <class Type>
    [[nodiscard]] static constexpr Element of() noexcept {
        return {alignof(Type) - 1, PTRDIFF_MAX / sizeof(Type)};
    }
};

/// Throws Refused if the pointer is null or misaligned.
inline void check_pointer(const void* pointer, std::uintptr_t misaligned, const char* name) {
    if (pointer == nullptr) { refuse(THRONG_NULL_POINTER, name); }
    if ((reinterpret_cast<std::uintptr_t>(pointer) & misaligned) != 0) {
        refuse(THRONG_WRONG_VALUE, name);
    }
}

/// Throws Refused if the count is not 0 and the array is null, misaligned or too long for memory.
/// For an array that is too long, `count_name` is blamed.
inline void check_array(const void* array, std::size_t count, const Element& element,
                        const char* name, const char* count_name) {
    if (count == 0) { return; }
    check_pointer(array, element.misaligned, name);
    if (count > element.most) { refuse(THRONG_TOO_MANY, count_name); }
}

/// Throws Refused if the array for a call's answer is null or misaligned.
template <class Type>
void check_out(const Type* out, const char* name) {
    check_pointer(out, alignof(Type) - 1, name);
}

/// As check_out(), but null is allowed: the caller does not want the answer.
template <class Type>
void check_wanted(const Type* out, const char* name) {
    if (out != nullptr) { check_out(out, name); }
}

/// `count` elements of the caller's array, as check_array() allows them.
template <class Type>
[[nodiscard]] std::span<Type>
array_of(std::conditional_t<std::is_const_v<Type>, const void*, void*> array, std::size_t count,
         const char* name, const char* count_name) {
    check_array(array, count, Element::of<Type>(), name, count_name);
    if (count == 0) { return {}; }
    return {static_cast<Type*>(array), count};
}

/// An array of the library, in C's type.
[[nodiscard]] inline const throng_near* array_in_c(const Near* array) noexcept {
    return static_cast<const throng_near*>(static_cast<const void*>(array));
}

} // namespace throng::c
