// Indexes in files and in memory: a loaded index equals the saved one, also in later calls.
#include "../../support/folder.hpp"
#include "../../support/threads/executors.hpp"
#include "cases.hpp"

#include <throng/engine/archive/archive.hpp>
#include <throng/engine/grid/store/frozen.hpp>
#include <throng/engine/loose_tree/frozen.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace throng {
namespace {

using test::Bytes;
using test::bytes_of;
using test::Folder;

template <class Entry>
class Frozen : public test::FrozenCase<Entry> {};
TYPED_TEST_SUITE(Frozen, test::FrozenEntries, test::IndexNames);

TYPED_TEST(Frozen, ComesBackAsItWasAndGoesOnAsItWould) {
    using test::Past;
    using Index = typename TypeParam::Index;
    for (unsigned past = 0; past < static_cast<unsigned>(Past::kEnd); ++past) {
        for (unsigned kind = 0; kind < 4; ++kind) {
            SCOPED_TRACE(testing::Message() << "past " << past << " kind " << kind);
            const bool own = (kind & 1) != 0;
            const bool groups = (kind & 2) != 0;
            Index index, loaded;
            ASSERT_NO_FATAL_FAILURE(this->live(index, static_cast<Past>(past), own, groups));
            ASSERT_NO_FATAL_FAILURE(this->replace_all(loaded, !own, groups, 50));
            ASSERT_EQ(load(loaded, this->saved(index)), Status{});
            ASSERT_NO_FATAL_FAILURE(this->expect_same(index, loaded));
            for (std::uint64_t seed = 1; seed < 4; ++seed) {
                if (static_cast<Past>(past) == Past::never) { break; }
                ASSERT_NO_FATAL_FAILURE(this->edit(index, seed, 400, seed == 2));
                ASSERT_NO_FATAL_FAILURE(this->edit(loaded, seed, 400, seed == 2));
                ASSERT_NO_FATAL_FAILURE(this->expect_same(index, loaded));
            }
            ASSERT_NO_FATAL_FAILURE(this->replace_all(index, own, !groups, 400));
            ASSERT_NO_FATAL_FAILURE(this->replace_all(loaded, own, !groups, 400));
            ASSERT_NO_FATAL_FAILURE(this->expect_same(index, loaded));
        }
    }
}

TYPED_TEST(Frozen, InAFileItIsWhatItIsInMemory) {
    using Index = typename TypeParam::Index;
    const Folder folder;
    const std::string path = folder.file("index");
    Index index, loaded;
    ASSERT_NO_FATAL_FAILURE(this->make_small(index));
    ASSERT_EQ(save(index, path.c_str()), Status{});
    EXPECT_EQ(folder.files(), 1u);
    EXPECT_EQ(bytes_of(path), this->saved(index));
    ASSERT_EQ(load(loaded, path.c_str()), Status{});
    ASSERT_NO_FATAL_FAILURE(this->expect_same(index, loaded));
    { const std::ofstream leftover(path + ".part0"); }
    ASSERT_EQ(save(Index{}, path.c_str()), Status{}); // over the old one
    EXPECT_EQ(folder.files(), 2u);
    ASSERT_EQ(load(loaded, path.c_str()), Status{});
    EXPECT_EQ(loaded.size(), 0u);

    const Bytes small = this->saved(loaded);
    std::filesystem::resize_file(path, small.size() - 1);
    EXPECT_EQ(load(index, path.c_str()), (Status{Cause::truncated, Argument::file}));
    std::filesystem::resize_file(path, 0);
    EXPECT_EQ(load(index, path.c_str()), (Status{Cause::truncated, Argument::file}));
}

TYPED_TEST(Frozen, WhatCannotBeWrittenOrReadIsToldAndLeftAlone) {
    using Index = typename TypeParam::Index;
    const Status failed = {Cause::io_failed, Argument::file};
    const Folder folder;
    Index index;
    ASSERT_NO_FATAL_FAILURE(this->make_small(index));
    const Bytes before = this->saved(index);
    EXPECT_EQ(save(index, folder.file("no/such/folder").c_str()), failed);
    EXPECT_EQ(save(index, folder.file("").c_str()), failed); // a folder
    EXPECT_EQ(save(index, static_cast<const char*>(nullptr)), failed);
    EXPECT_EQ(load(index, folder.file("nothing").c_str()), failed);
    EXPECT_EQ(load(index, folder.file("").c_str()), failed);
    EXPECT_EQ(load(index, static_cast<const char*>(nullptr)), failed);
    EXPECT_EQ(folder.files(), 0u);
    EXPECT_EQ(this->saved(index), before);
}

TYPED_TEST(Frozen, WhoIsAskedMayEndIt) {
    using Index = typename TypeParam::Index;
    const Status cancelled = {Cause::cancelled, Argument::progress};
    const Folder folder;
    const std::string path = folder.file("index");
    Index index, kept;
    ASSERT_NO_FATAL_FAILURE(this->make_small(kept));
    ASSERT_NO_FATAL_FAILURE(this->replace_all(index, true, true, 60'000));
    ASSERT_EQ(save(kept, path.c_str()), Status{});
    const Bytes before = this->saved(kept);
    Bytes memory = before;
    const Bytes large = this->saved(index);
    const std::size_t least = large.size() >> 20;

    // Ends a call at its first question, then at its second, and so on, until it is not ended.
    const auto check = [&](const auto& call) {
        std::size_t questions = 0;
        float latest = 0.0f;
        for (std::size_t end = 0;; ++end) {
            questions = 0;
            latest = 0.0f;
            const auto ask = [&](float done) {
                EXPECT_GE(done, latest);
                EXPECT_LE(done, 1.0f);
                latest = done;
                return questions++ != end;
            };
            const Status status = call(Progress(ask));
            ASSERT_EQ(this->saved(kept) == before && bytes_of(path) == before && memory == before,
                      !status.ok());
            if (status.ok()) { break; }
            ASSERT_EQ(status, cancelled);
            ASSERT_EQ(questions, end + 1);
            ASSERT_EQ(folder.files(), 1u);
        }
        EXPECT_GE(questions, least);
        EXPECT_EQ(latest, 1.0f);
    };
    ASSERT_NO_FATAL_FAILURE(check([&](const Progress& ask) { return save(index, memory, ask); }));
    memory = before;
    ASSERT_NO_FATAL_FAILURE(
        check([&](const Progress& ask) { return save(index, path.c_str(), ask); }));
    ASSERT_EQ(save(kept, path.c_str()), Status{});
    ASSERT_NO_FATAL_FAILURE(check([&](const Progress& ask) { return load(kept, large, ask); }));
    ASSERT_EQ(this->saved(kept), large);

    // A callback that throws ends it too.
    struct HasEnough {};
    ASSERT_NO_FATAL_FAILURE(this->make_small(kept));
    const auto throws = [&](float done) -> bool { return done < 0.5f ? true : throw HasEnough{}; };
    EXPECT_THROW((void)save(index, path.c_str(), throws), HasEnough);
    EXPECT_THROW((void)load(kept, large, throws), HasEnough);
    EXPECT_EQ(bytes_of(path), before);
    EXPECT_EQ(folder.files(), 1u);
    EXPECT_EQ(this->saved(kept), before);
}

// Several indexes in one archive, with words beside them, as a structure made of indexes saves
// them.
TEST(FrozenTogether, TwoIndexesAndSomeWordsAreOneArchive) {
    auto scene = scenes::make<2>("clustered", 200);
    RowGrid<2> grid, other_grid;
    LooseTree<2> tree, other_tree;
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    ASSERT_EQ(tree.update(scene.agents()), Status{});
    const std::vector<std::uint32_t> words = {4, 5, 6};
    std::vector<std::uint32_t> other_words;
    constexpr ArchiveKind kKind = {archive_tag("BOTH"), 2};
    Bytes bytes;
    const auto write = [&](ArchiveWriter& out) {
        out.section(archive_tag("WORD"), words.data(), words.size());
        FrozenIndex<RowGrid<2>>::write(grid, out);
        FrozenIndex<LooseTree<2>>::write(tree, out);
    };
    const auto read = [&](ArchiveReader& in) {
        (void)in.list(archive_tag("WORD"), other_words);
        FrozenIndex<RowGrid<2>>::read(in, other_grid);
        FrozenIndex<LooseTree<2>>::read(in, other_tree);
    };
    ASSERT_EQ(write_archive(bytes, kKind, write, {}), Status{});
    ASSERT_EQ(read_archive(bytes, kKind, read, {}), Status{});
    EXPECT_EQ(other_words, words);
    EXPECT_EQ(test::all_ids<2>(other_grid), test::all_ids<2>(grid));
    EXPECT_EQ(test::all_ids<2>(other_tree), test::all_ids<2>(tree));
    EXPECT_EQ(load(grid, bytes), (Status{Cause::not_an_index, Argument::file}));
    // A reader that leaves sections unread is refused.
    EXPECT_EQ(read_archive(bytes, kKind, [](ArchiveReader&) {}, {}),
              (Status{Cause::corrupted, Argument::file}));
}

TEST(FrozenChecksum, DoesNotDependOnHowBytesAreCut) {
    scenes::Random random(3);
    Bytes bytes(1000);
    for (std::byte& byte : bytes) {
        byte = static_cast<std::byte>(random.below(256));
    }
    for (const std::size_t size : {0u, 1u, 63u, 64u, 65u, 500u, 1000u}) {
        Checksum whole(7);
        whole.add(bytes.data(), size);
        Checksum cut(7);
        for (std::size_t at = 0; at < size;) {
            const std::size_t some = std::min<std::size_t>(random.below(150), size - at);
            cut.add(bytes.data() + at, some);
            at += some;
        }
        EXPECT_EQ(cut.value(), whole.value());
        EXPECT_NE(Checksum(8).value(), whole.value());
    }
}

template <class Dimension>
class PackingProgress : public testing::Test {};
using PackedDims =
    testing::Types<std::integral_constant<std::size_t, 2>, std::integral_constant<std::size_t, 3>>;
TYPED_TEST_SUITE(PackingProgress, PackedDims);

TYPED_TEST(PackingProgress, ALooseTreeAsksWhileItIsPacked) {
    constexpr std::size_t kDim = TypeParam::value;
    auto before = scenes::make<kDim>("clustered", 700, scenes::Groups::masks);
    auto after = scenes::make<kDim>("mixed_sizes", 150'000);
    LooseTree<kDim> index, whole;
    ASSERT_EQ(index.update(before.agents()), Status{});
    ASSERT_EQ(index.erase(3), Status{});
    ASSERT_EQ(whole.update(after.agents()), Status{});
    Bytes was, is, wanted;
    ASSERT_EQ(save(index, was), Status{});
    ASSERT_EQ(save(whole, wanted), Status{});
    test::ShuffleExecutor executor(4);
    std::size_t questions = 0;
    for (std::size_t end = 0;; end += end < 3 ? 1 : 5) {
        questions = 0;
        float latest = 0.0f;
        const auto ask = [&](float done) {
            EXPECT_GE(done, latest);
            latest = done;
            return questions++ != end;
        };
        const Status status = index.update(after.agents(), executor, ask);
        ASSERT_EQ(save(index, is), Status{});
        if (status.ok()) {
            EXPECT_EQ(latest, 1.0f);
            break;
        }
        ASSERT_EQ(status, (Status{Cause::cancelled, Argument::progress}));
        ASSERT_EQ(questions, end + 1);
        ASSERT_EQ(is, was);
        ASSERT_STREQ(index.validate(), nullptr);
    }
    EXPECT_GE(questions, 20u);
    EXPECT_EQ(is, wanted);
    ASSERT_STREQ(index.validate(), nullptr);
    // An empty tree is packed too.
    ASSERT_EQ(index.update({}, executor, [](float) { return true; }), Status{});
    EXPECT_EQ(index.size(), 0u);
}

} // namespace
} // namespace throng
