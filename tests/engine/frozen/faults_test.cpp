// Altered files are refused and change nothing, or are loaded as sound indexes.
#include "../../support/archives.hpp"
#include "../../support/fail_each.hpp"
#include "../../support/folder.hpp"
#include "../../support/long_run.hpp"
#include "cases.hpp"

#include <cstring>
#include <ctime>
#include <string>
#include <type_traits>
#include <vector>

namespace throng {
namespace {

using test::Bytes;

template <class Entry>
class FrozenFaults : public test::FrozenCase<Entry> {};
TYPED_TEST_SUITE(FrozenFaults, test::FrozenEntries, test::IndexNames);

TYPED_TEST(FrozenFaults, EndsTooEarlyOrGoesOnTooLong) {
    typename TypeParam::Index index, kept;
    ASSERT_NO_FATAL_FAILURE(this->make_small(index));
    const Bytes bytes = this->saved(index);
    const Bytes before = this->saved(kept);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        ASSERT_EQ(this->refused(std::span(bytes).first(size), kept, before).cause, Cause::truncated)
            << size;
    }
    Bytes longer = bytes;
    longer.push_back(std::byte{0});
    ASSERT_EQ(this->refused(longer, kept, before).cause, Cause::truncated);
}

TYPED_TEST(FrozenFaults, NoByteChangesUnnoticed) {
    typename TypeParam::Index index, kept;
    ASSERT_NO_FATAL_FAILURE(this->make_small(index));
    Bytes bytes = this->saved(index);
    const Bytes before = this->saved(kept);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        for (const unsigned flip : {1u, 0x80u, 0xFFu}) {
            bytes[i] ^= static_cast<std::byte>(flip);
            const Cause cause = load(kept, bytes).cause;
            const Cause wanted = i < 6    ? Cause::not_an_index
                                 : i < 12 ? Cause::other_version
                                          : Cause::corrupted;
            ASSERT_EQ(cause, wanted) << i;
            bytes[i] ^= static_cast<std::byte>(flip);
        }
    }
    ASSERT_EQ(this->saved(kept), before);
    ASSERT_EQ(load(kept, bytes), Status{});
}

/// The file with one word changed, in one of several ways. The last way changes a bit of the word
/// and a bit of another word.
Bytes changed(const Bytes& sound, std::size_t at, unsigned way, scenes::Random& random) {
    Bytes bytes = sound;
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    const std::uint32_t ways[] = {word + 1,        word - 1, 0xFFFF'FFFFu,
                                  0x7FC0'0000u, // not a number
                                  word ^ 1u << 31, 0u,       word ^ 1u << random.below(32)};
    word = ways[way];
    std::memcpy(bytes.data() + at, &word, sizeof word);
    if (way == 6) {
        const auto contents = static_cast<std::uint32_t>(bytes.size() - test::kArchiveHeader);
        bytes[test::kArchiveHeader + random.below(contents)] ^=
            static_cast<std::byte>(1u << random.below(8));
    }
    test::seal(bytes);
    return bytes;
}

/// Content that is no valid index is refused, though its checksums are right; a valid one can be
/// asked and edited. Sanitizers check that nothing else happens.
TYPED_TEST(FrozenFaults, IsSafeWhateverIsInIt) {
    using Index = typename TypeParam::Index;
    scenes::Random random(31);
    for (const bool small : {true, false}) {
        Index index;
        if (small) {
            ASSERT_NO_FATAL_FAILURE(this->make_small(index));
        } else {
            ASSERT_NO_FATAL_FAILURE(this->live(index, test::Past::edited, true, true));
        }
        const Bytes sound = this->saved(index);
        std::size_t refused = 0, taken = 0;
        const std::size_t step = small ? 4 : std::max<std::size_t>(sound.size() / 400, 1) * 4;
        for (std::size_t at = 40; at + 4 <= sound.size(); at += step) {
            for (unsigned way = 0; way < 7; ++way) {
                Index loaded;
                const Status status = load(loaded, changed(sound, at, way, random));
                if (!status.ok()) {
                    ASSERT_EQ(status.cause, Cause::corrupted);
                    ++refused;
                    continue;
                }
                ++taken;
                ASSERT_NO_FATAL_FAILURE(this->use(loaded));
            }
        }
        EXPECT_GT(refused, 100u);
        EXPECT_GT(taken, 10u); // group masks, at least, may be anything
    }
}

// A file of a few words may contain the largest id: no loop may count up to it.
TYPED_TEST(FrozenFaults, LateNamesTakeNoTime) {
    typename TypeParam::Index index;
    ASSERT_NO_FATAL_FAILURE(this->make_few(index));
    const Bytes sound = this->saved(index);
    std::size_t taken = 0;
    const std::clock_t start = std::clock();
    for (const Id name : {kFirstStatic - 1, kNoId - 1}) {
        for (std::size_t at = test::kArchiveHeader; at + sizeof name <= sound.size();
             at += sizeof name) {
            Bytes forged = sound;
            test::put(forged, at, name);
            test::seal(forged);
            typename TypeParam::Index loaded;
            taken += load(loaded, forged).ok() ? 1u : 0u;
        }
    }
    EXPECT_GT(taken, 9u); // group masks, at least, may be anything
    EXPECT_LT(std::clock() - start, (test::emulated() ? 20 : 1) * CLOCKS_PER_SEC);
}

template <class Index>
struct OfOtherDim;
template <template <std::size_t> class Index, std::size_t Dim>
struct OfOtherDim<Index<Dim>> {
    using Type = Index<5 - Dim>;
};

TYPED_TEST(FrozenFaults, IsNotTakenForAnother) {
    using Index = typename TypeParam::Index;
    constexpr std::size_t kDim = TypeParam::kDim;
    Index index;
    ASSERT_NO_FATAL_FAILURE(this->make_small(index));
    const Bytes bytes = this->saved(index);
    const auto cause_for = [&](auto&& other) { return load(other, bytes).cause; };
    const auto expect_for = [&](auto&& other) {
        using Other = std::remove_cvref_t<decltype(other)>;
        EXPECT_EQ(cause_for(other),
                  (std::is_same_v<Index, Other> ? Cause::ok : Cause::not_an_index));
    };
    expect_for(RowGrid<kDim>{});
    expect_for(LooseTree<kDim>{});
    expect_for(Crowd<kDim>{});
    expect_for(Obstacles<kDim>{});
    EXPECT_EQ(cause_for(typename OfOtherDim<Index>::Type{}), Cause::other_version);

    Bytes other = bytes;
    std::swap(other[6], other[7]); // the byte order mark
    EXPECT_EQ(load(index, other).cause, Cause::other_version);
    other = bytes;
    other[8] ^= std::byte{1}; // the version
    test::seal(other);
    EXPECT_EQ(load(index, other).cause, Cause::other_version);
    other.assign(100, std::byte{'x'});
    EXPECT_EQ(load(index, other).cause, Cause::not_an_index);
    EXPECT_EQ(this->saved(index), bytes);
}

/// The saved index, the loaded one, and the bytes between them.
template <class Index>
struct Kept {
    Index index, loaded;
    Bytes memory;
};

TYPED_TEST(FrozenFaults, AFailedAllocationChangesNothing) {
    const test::AllocationsFail somewhere;
    using Both = Kept<typename TypeParam::Index>;
    const test::Folder folder;
    const std::string path = folder.file("index");
    Bytes small;
    const auto make = [&] {
        Both both;
        this->make_small(both.index);
        small = this->saved(both.index);
        both.memory.assign(3, std::byte{7});
        EXPECT_EQ(save(both.loaded, path.c_str()), Status{}); // empty
        return both;
    };
    const auto say = [&](const Both& both) {
        EXPECT_EQ(folder.files(), 1u);
        EXPECT_STREQ(both.loaded.validate(), nullptr);
        return std::vector<Bytes>{this->saved(both.index), this->saved(both.loaded), both.memory,
                                  test::bytes_of(path)};
    };
    const auto each = [&](const auto& call) {
        ASSERT_NO_FATAL_FAILURE(test::fail_each_allocation(make, call, say));
    };
    each([](Both& both) { return save(both.index, both.memory); });
    each([&](Both& both) { return save(both.index, path.c_str()); });
    each([&](Both& both) { return load(both.loaded, small); });
    each([&](Both& both) { return load(both.loaded, path.c_str()); });
}

} // namespace
} // namespace throng
