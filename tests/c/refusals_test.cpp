// Every call of the C API refuses bad handles, structures and arrays with a status that names them,
// and changes nothing.
#include "refusals.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

namespace throng::test {

namespace {

/// The highest bit of a handle: it belongs to the count of its slot's uses.
constexpr std::uintptr_t kHighBit = ~(~std::uintptr_t{0} >> 1);

TEST(CApi, HasEveryFunctionInTheTable) {
    std::ifstream file(THRONG_TEST_HEADER);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const std::regex declaration(R"(\nTHRONG_C throng_status (throng_\w+)\()");
    std::set<std::string> declared, known;
    for (std::sregex_iterator it(text.begin(), text.end(), declaration), end; it != end; ++it) {
        declared.insert((*it)[1]);
    }
    for (const Call& call : calls()) {
        EXPECT_TRUE(known.insert(call.name).second) << call.name;
    }
    EXPECT_GT(declared.size(), 40u);
    EXPECT_EQ(known, declared);
}

TEST(CApi, TakesWhatIsNotSpoilt) {
    for (const Call& call : calls()) {
        for (const std::uint32_t dimension : kDimensions) {
            expect_ok(call, dimension, [](Rig&) {});
        }
    }
}

TEST(CApi, RefusesHandlesThatAreNone) {
    int local = 0;
    for (const Call& call : calls()) {
        for (const HandleOf& handle : call.handles) {
            const auto put = [&](void* other) {
                return [kind = static_cast<std::size_t>(handle.kind), other](Rig& rig) {
                    rig.handles[kind] = other;
                };
            };
            const auto refused = [&](void* other, int code) {
                expect_refused(call, 2, code, handle.name, put(other));
            };
            if (handle.may_be_null) {
                expect_ok(call, 2, put(nullptr));
            } else {
                refused(nullptr, THRONG_NULL_HANDLE);
            }
            refused(dead(handle.kind), THRONG_DEAD_HANDLE);
            refused(&local, THRONG_DEAD_HANDLE);
            for (const std::uintptr_t bits :
                 {std::uintptr_t{1}, std::uintptr_t{64}, std::uintptr_t{0x1000},
                  std::uintptr_t{0xFFFF'FFFF}, kHighBit >> 1 | 0x20'0000, ~std::uintptr_t{0},
                  ~std::uintptr_t{0} - 63}) {
                refused(of_bits(bits), THRONG_DEAD_HANDLE);
            }
            expect_refused(call, 2, THRONG_DEAD_HANDLE, handle.name, [&](Rig& rig) {
                void*& own = rig.handles[static_cast<std::size_t>(handle.kind)];
                std::uintptr_t bits = 0;
                std::memcpy(&bits, &own, sizeof bits);
                own = of_bits(bits ^ kHighBit);
            });
            for (std::size_t other = 0; other < kKinds; ++other) {
                if (static_cast<Kind>(other) == handle.kind) { continue; }
                expect_refused(call, 2, THRONG_WRONG_HANDLE, handle.name, [&](Rig& rig) {
                    rig.handles[static_cast<std::size_t>(handle.kind)] = rig.handles[other];
                });
            }
        }
    }
}

TEST(CApi, DestroysEachObjectOnce) {
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        Rig rig(2);
        EXPECT_EQ(rig.destroy(static_cast<Kind>(kind)).code, THRONG_OK);
        const throng_status again = rig.destroy(static_cast<Kind>(kind));
        EXPECT_EQ(again.code, THRONG_DEAD_HANDLE);
        EXPECT_NE(text_of(again).find("destroyed"), std::string::npos) << text_of(again);
        // An object that is made later does not get the dead handle.
        Rig later(2);
        EXPECT_EQ(rig.destroy(static_cast<Kind>(kind)).code, THRONG_DEAD_HANDLE);
        EXPECT_NE(rig.handles[kind], later.handles[kind]);
    }
}

TEST(CApi, RefusesStructuresOfNoSizeThereIs) {
    for (const Call& call : calls()) {
        for (const StructOf& structure : call.structs) {
            const auto with_size = [&](auto size) {
                return [=, of = structure.of](Rig& rig) {
                    const AnyGiven given = of(rig);
                    *given.struct_size = size(given);
                };
            };
            const auto refused = [&](const std::function<void(Rig&)>& spoil) {
                expect_refused(call, 3, THRONG_WRONG_SIZE, structure.name, spoil);
            };
            const auto to_null = [&](Rig& rig) { *structure.of(rig).is_null = true; };
            if (structure.may_be_null) {
                expect_ok(call, 3, to_null);
            } else {
                expect_refused(call, 3, THRONG_NULL_POINTER, structure.name, to_null);
            }
            refused(with_size([](const AnyGiven&) { return 0u; }));
            refused(with_size([](const AnyGiven&) { return sizeof(std::size_t); }));
            refused(with_size([](const AnyGiven& of) { return of.first - 1; }));
            refused(with_size([](const AnyGiven& of) { return of.first - sizeof of.first; }));
            refused(with_size([](const AnyGiven&) { return ~std::size_t{0}; }));
            refused(
                with_size([](const AnyGiven& of) { return of.size + (~std::size_t{0} / 4 + 1); }));
            refused(with_size([](const AnyGiven&) { return 1025u; })); // longer than any will be
            // A newer structure with a field set that this library does not know.
            for (const std::size_t more : {1u, 8u, 24u}) {
                refused([&](Rig& rig) {
                    const AnyGiven given = structure.of(rig);
                    *given.struct_size += more;
                    given.tail[more - 1] = 1;
                });
            }
        }
    }
}

TEST(CApi, TakesLongerStructuresThatSayNothingNew) {
    for (const Call& call : calls()) {
        for (const StructOf& structure : call.structs) {
            Rig rig(3);
            const AnyGiven given = structure.of(rig);
            *given.struct_size += 16;
            given.tail[16] = 7; // past the structure's end, so it is not read
            const throng_status status = call.make(rig);
            EXPECT_EQ(status.code, THRONG_OK) << call.name << ": " << text_of(status);
            EXPECT_EQ(*given.struct_size, given.size + 16) << call.name; // as the host set it
            for (std::size_t i = 0; i < 16; ++i) {
                EXPECT_EQ(given.tail[i], 0) << call.name;
            }
        }
    }
}

// Each structure has the size of its first version, as from a program compiled at that time.
TEST(CApi, TakesStructuresOfTheFirstVersion) {
    for (const Call& call : calls()) {
        for (const StructOf& structure : call.structs) {
            expect_ok(call, 3, [&](Rig& rig) {
                const AnyGiven given = structure.of(rig);
                *given.struct_size = given.first;
            });
        }
    }
}

TEST(CApi, RefusesToWriteNowhere) {
    for (const Call& call : calls()) {
        if (call.out == nullptr) { continue; }
        for (const std::uint32_t dimension : kDimensions) {
            expect_refused(call, dimension, THRONG_NULL_POINTER, call.out,
                           [](Rig& rig) { rig.out_is_null = true; });
        }
    }
}

TEST(CApi, RefusesArraysThatCannotBeWrittenTo) {
    for (const Call& call : calls()) {
        for (const ArrayOf& array : call.arrays) {
            const auto refused = [&](int code, std::ptrdiff_t shift, bool is_null, bool is_short) {
                expect_refused(call, 3, code, array.name,
                               [&](Rig& rig) { array.spoil(rig, shift, is_null, is_short); });
            };
            refused(THRONG_NULL_POINTER, 0, true, false);
            refused(THRONG_WRONG_VALUE, 1, false, false);
            refused(THRONG_WRONG_VALUE, 2, false, false);
            refused(THRONG_NO_ROOM, 0, false, true);
        }
    }
}

} // namespace

} // namespace throng::test
