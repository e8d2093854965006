// How much of a host's structure is read: all of it if its size is possible, otherwise only its
// size.
#include "../../c/structs.hpp"

#include "../simd/kernels/guarded.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <new>

namespace throng::test {

namespace {

template <class T>
class CStructures : public testing::Test {
protected:
    /// A structure at the end of readable memory, `room` bytes long, with zeros behind its known
    /// fields.
    struct AtTheEnd {
        Guarded<unsigned char> pages;
        T* given;

        explicit AtTheEnd(std::size_t room) : pages(room), given(new (pages.begin()) T) {
            std::memset(pages.begin(), 0, room);
            *given = c::Layout<T>::defaults();
            given->struct_size = room;
        }
    };

    static void expect_refused(const T* given) {
        try {
            (void)c::read(given, "given");
            FAIL() << given->struct_size;
        } catch (const c::Refused& refused) {
            EXPECT_EQ(refused.status.code, THRONG_WRONG_SIZE) << given->struct_size;
            EXPECT_STREQ(refused.status.argument, "given");
        }
    }
};

using Structures = testing::Types<
    throng_memory_settings, throng_memory_counts, throng_executor_callbacks, throng_executor_facts,
    throng_crowd_settings, throng_agents, throng_crowd_counts, throng_cell_stats, throng_questions,
    throng_hits, throng_hits_room, throng_neighbourhood, throng_pairing, throng_pairs,
    throng_pairs_room, throng_contact_frame, throng_lasting_settings, throng_lasting_frame,
    throng_nearest, throng_near_hits, throng_near_room, throng_points, throng_query_costs,
    throng_obstacle_arrays, throng_obstacle_counts, throng_obstacle_search>;
TYPED_TEST_SUITE(CStructures, Structures);

TYPED_TEST(CStructures, AreReadToTheirEndAndNoFurther) {
    using T = TypeParam;
    for (const std::size_t more : {0u, 8u, 64u}) {
        const typename TestFixture::AtTheEnd host(sizeof(T) + more);
        EXPECT_EQ(c::read(host.given, "given").struct_size, sizeof(T) + more);
    }
    const typename TestFixture::AtTheEnd longest(c::kLongest);
    EXPECT_EQ(c::read(longest.given, "given").struct_size, c::kLongest);
    *(longest.pages.end() - 1) = 1;
    this->expect_refused(longest.given);
}

TYPED_TEST(CStructures, AreNotReadWhereTheirSizeIsNone) {
    using T = TypeParam;
    const typename TestFixture::AtTheEnd host(sizeof(T));
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, sizeof(std::size_t), c::Layout<T>::kFirst - 1,
          c::kLongest + 1, std::size_t{4096}, std::size_t{1} << 20, ~std::size_t{0} / 4 + 1,
          ~std::size_t{0} >> 1, ~std::size_t{0} - 7, ~std::size_t{0}}) {
        host.given->struct_size = size;
        this->expect_refused(host.given);
    }
    // Of a structure with an impossible size not even the known fields are read.
    const Guarded<unsigned char> size_alone(sizeof(std::size_t));
    for (const std::size_t size : {std::size_t{0}, c::kLongest + 1, ~std::size_t{0}}) {
        std::memcpy(size_alone.begin(), &size, sizeof size);
        EXPECT_THROW((void)c::read(reinterpret_cast<const T*>(size_alone.begin()), "given"),
                     c::Refused);
    }
}

TYPED_TEST(CStructures, AreWrittenAsLongAsTheyWereRead) {
    using T = TypeParam;
    const typename TestFixture::AtTheEnd host(sizeof(T));
    T known = c::read(host.given, "given");
    auto* const last = reinterpret_cast<unsigned char*>(&known) + sizeof(T) - 1;
    for (const std::size_t size : {std::size_t{0}, std::size_t{3}, ~std::size_t{0}}) {
        *last ^= 1;
        host.given->struct_size = size; // as a callback might change it
        c::write(known, host.given);
        EXPECT_EQ(host.given->struct_size, size);
        EXPECT_EQ(*(host.pages.end() - 1), *last);
    }
}

} // namespace

} // namespace throng::test
