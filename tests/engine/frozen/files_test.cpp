// Full disks, folders that take no files, and files without their end.
#include "../../support/folder.hpp"
#include "cases.hpp"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#if __has_include(<sys/resource.h>)
#include <csignal>
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace throng {
namespace {

using test::Bytes;
using test::Folder;

constexpr Status kFailed = {Cause::io_failed, Argument::file};

template <class Entry>
class FrozenFiles : public test::FrozenCase<Entry> {};
TYPED_TEST_SUITE(FrozenFiles, test::FrozenEntries, test::IndexNames);

#if __has_include(<sys/resource.h>)
/// While it lives, no file of this process grows beyond `bytes` bytes, as if the disk were full.
class FullDisk {
public:
    explicit FullDisk(std::size_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        EXPECT_EQ(getrlimit(RLIMIT_FSIZE, &before_), 0);
        rlimit limit = before_;
        limit.rlim_cur = bytes;
        EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;
    ~FullDisk() {
        (void)setrlimit(RLIMIT_FSIZE, &before_);
        (void)std::signal(SIGXFSZ, handler_);
    }

private:
    void (*handler_)(int);
    rlimit before_{};
};

/// Saves over an existing file, with room for too few bytes: each multiple of `step`, and one byte
/// too few.
template <class Index>
void save_on_full_disks(const Index& index, std::size_t size, std::size_t step,
                        const Folder& folder) {
    const std::string path = folder.file("index"), new_path = folder.file("new");
    ASSERT_EQ(save(Index{}, path.c_str()), Status{});
    const Bytes before = test::bytes_of(path);
    for (std::size_t room = 0; room < size; room = room + 1 == size     ? size
                                                   : room + step < size ? room + step
                                                                        : size - 1) {
        Status over, anew;
        {
            const FullDisk full(room);
            over = save(index, path.c_str());
            anew = save(index, new_path.c_str());
        }
        ASSERT_EQ(over, kFailed) << room;
        ASSERT_EQ(anew, kFailed) << room;
        ASSERT_EQ(folder.files(), 1u) << "nothing is left lying about";
        ASSERT_EQ(test::bytes_of(path), before) << "what was there is there";
    }
    Status enough;
    {
        const FullDisk full(size);
        enough = save(index, path.c_str());
    }
    ASSERT_EQ(enough, Status{});
    ASSERT_EQ(test::bytes_of(path).size(), size);
}

TYPED_TEST(FrozenFiles, AFullDiskLeavesTheOldFile) {
    typename TypeParam::Index small, large;
    ASSERT_NO_FATAL_FAILURE(this->make_small(small));
    const Folder folder;
    const Bytes before = this->saved(small);
    ASSERT_NO_FATAL_FAILURE(save_on_full_disks(small, before.size(), 7, folder));
    EXPECT_EQ(this->saved(small), before);
    // A file written in several pieces, the last of them only when the file is closed.
    ASSERT_NO_FATAL_FAILURE(this->replace_all(large, true, true, 20'000));
    const std::size_t size = this->saved(large).size();
    ASSERT_NO_FATAL_FAILURE(save_on_full_disks(large, size, size / 9, folder));
}
/// While it lives, permissions bind this process, even if it is root's.
class Unprivileged {
public:
    Unprivileged() : before_(geteuid()) {
        if (before_ == 0) { EXPECT_EQ(seteuid(65'534), 0); }
    }
    Unprivileged(const Unprivileged&) = delete;
    Unprivileged& operator=(const Unprivileged&) = delete;
    ~Unprivileged() {
        if (before_ == 0) { EXPECT_EQ(seteuid(before_), 0); }
    }

private:
    uid_t before_;
};

TYPED_TEST(FrozenFiles, AReadOnlyFolderKeepsWhatItHas) {
    namespace fs = std::filesystem;
    using Index = typename TypeParam::Index;
    const Folder folder;
    Index index;
    ASSERT_NO_FATAL_FAILURE(this->make_small(index));
    const std::string path = folder.file("folder/index");
    fs::create_directories(folder.file("folder"));
    ASSERT_EQ(save(Index{}, path.c_str()), Status{});
    const Bytes before = test::bytes_of(path);
    fs::permissions(folder.file("folder"), fs::perms::owner_write, fs::perm_options::remove);
    Status saved, loaded;
    {
        const Unprivileged unprivileged;
        saved = save(index, path.c_str());
        loaded = load(index, path.c_str());
    }
    fs::permissions(folder.file("folder"), fs::perms::owner_write, fs::perm_options::add);
    EXPECT_EQ(saved, kFailed);
    EXPECT_EQ(test::bytes_of(path), before);
    EXPECT_EQ(loaded, Status{}) << "to be read it need not be written";
}
#endif

TYPED_TEST(FrozenFiles, NamesAreUtf8) {
    namespace fs = std::filesystem;
    const Folder folder;
    typename TypeParam::Index index, again;
    ASSERT_NO_FATAL_FAILURE(this->make_small(index));
    const std::string path = folder.file("index") + "-\xC3\xBC\xE5\xAD\x97"; // u with dots, a sign
    ASSERT_EQ(save(again, path.c_str()), Status{});
    ASSERT_EQ(save(index, path.c_str()), Status{});
    ASSERT_EQ(folder.files(), 1u);
    EXPECT_TRUE(fs::exists(fs::path(std::u8string(path.begin(), path.end()))));
    ASSERT_EQ(load(again, path.c_str()), Status{});
    EXPECT_EQ(this->saved(again), this->saved(index));
}

TYPED_TEST(FrozenFiles, WhatTakesNoFilesIsTold) {
    const Folder folder;
    typename TypeParam::Index index;
    ASSERT_NO_FATAL_FAILURE(this->make_small(index));
    // A missing folder, a file in place of a folder, a folder in place of a file, a long name, no
    // name.
    { const std::ofstream file(folder.file("file")); }
    std::filesystem::create_directories(folder.file("folder/inside"));
    for (const std::string& path :
         {folder.file("no/index"), folder.file("file/index"), folder.file("folder"),
          folder.file(std::string(300, 'x').c_str()), std::string()}) {
        EXPECT_EQ(save(index, path.c_str()), kFailed) << path;
        EXPECT_EQ(load(index, path.c_str()), kFailed) << path;
    }
    EXPECT_EQ(folder.files(), 2u);
    EXPECT_TRUE(std::filesystem::is_directory(folder.file("folder/inside")));
}

TYPED_TEST(FrozenFiles, AFileThatHasLostItsEndIsRefused) {
    typename TypeParam::Index index, kept;
    const Folder folder;
    const std::string path = folder.file("index");
    const Bytes before = this->saved(kept);
    const auto cut_at_each = [&](std::size_t size, std::size_t step) {
        for (std::size_t left = size - 1;; left -= std::min(left, step)) {
            std::filesystem::resize_file(path, left);
            ASSERT_EQ(load(kept, path.c_str()), (Status{Cause::truncated, Argument::file})) << left;
            ASSERT_EQ(this->saved(kept), before);
            if (left == 0) { break; }
        }
    };
    ASSERT_NO_FATAL_FAILURE(this->make_small(index));
    ASSERT_EQ(save(index, path.c_str()), Status{});
    ASSERT_NO_FATAL_FAILURE(cut_at_each(this->saved(index).size(), 1));
    ASSERT_NO_FATAL_FAILURE(this->replace_all(index, true, true, 20'000));
    ASSERT_EQ(save(index, path.c_str()), Status{});
    const std::size_t size = this->saved(index).size();
    ASSERT_NO_FATAL_FAILURE(cut_at_each(size, size / 40));
    // Nothing may follow the end of the file.
    ASSERT_EQ(save(index, path.c_str()), Status{});
    std::filesystem::resize_file(path, size + 8);
    ASSERT_EQ(load(kept, path.c_str()), (Status{Cause::truncated, Argument::file}));
    std::filesystem::resize_file(path, size);
    ASSERT_EQ(load(kept, path.c_str()), Status{});
    ASSERT_EQ(this->saved(kept), this->saved(index));
}

/// Thrown by callbacks.
struct Enough {};

TYPED_TEST(FrozenFiles, WhoIsAskedMayThrowAtAnyQuestion) {
    const Folder folder;
    const std::string path = folder.file("index"), large_path = folder.file("large");
    typename TypeParam::Index index, kept;
    ASSERT_NO_FATAL_FAILURE(this->make_small(kept));
    ASSERT_NO_FATAL_FAILURE(this->replace_all(index, true, true, 60'000));
    ASSERT_EQ(save(kept, path.c_str()), Status{});
    ASSERT_EQ(save(index, large_path.c_str()), Status{});
    const Bytes before = this->saved(kept), large = this->saved(index);
    Bytes memory = before;
    const auto throw_at_each = [&](const auto& call) {
        bool thrown = true;
        std::size_t k = 0;
        for (; thrown; ++k) {
            ASSERT_LT(k, 1000u);
            thrown = false;
            std::size_t asked = 0;
            try {
                ASSERT_EQ(call([&](float) { return asked++ == k ? throw Enough{} : true; }),
                          Status{});
            } catch (const Enough&) { thrown = true; }
            if (!thrown) { break; }
            ASSERT_EQ(asked, k + 1);
            ASSERT_EQ(folder.files(), 2u);
            ASSERT_TRUE(test::bytes_of(path) == before && memory == before);
            ASSERT_EQ(this->saved(kept), before);
        }
        EXPECT_GE(k, 1u);
    };
    ASSERT_NO_FATAL_FAILURE(
        throw_at_each([&](const Progress& ask) { return save(index, path.c_str(), ask); }));
    ASSERT_EQ(save(kept, path.c_str()), Status{});
    ASSERT_NO_FATAL_FAILURE(
        throw_at_each([&](const Progress& ask) { return save(index, memory, ask); }));
    memory = before;
    ASSERT_NO_FATAL_FAILURE(
        throw_at_each([&](const Progress& ask) { return load(kept, large, ask); }));
    ASSERT_EQ(load(kept, memory), Status{});
    ASSERT_NO_FATAL_FAILURE(
        throw_at_each([&](const Progress& ask) { return load(kept, large_path.c_str(), ask); }));
    ASSERT_EQ(this->saved(kept), large);
}

/// Packs with a callback; returns how often it was called.
template <class Index, class Pack>
std::size_t throw_while_packed(Index& index, const Pack& pack) {
    Bytes before, now;
    EXPECT_EQ(save(index, before), Status{});
    for (std::size_t k = 0;; ++k) {
        std::size_t asked = 0;
        bool ended = false;
        try {
            // By turns the callback throws, or returns false.
            const Status status = pack([&](float) {
                if (asked++ != k) { return true; }
                return k % 2 == 0 ? throw Enough{} : false;
            });
            ended = status.cause == Cause::cancelled;
            EXPECT_EQ(status.ok(), !ended);
        } catch (const Enough&) { ended = true; }
        if (!ended) { return asked; }
        EXPECT_EQ(asked, k + 1);
        EXPECT_STREQ(index.validate(), nullptr);
        EXPECT_EQ(save(index, now), Status{});
        EXPECT_TRUE(now == before);
        if (testing::Test::HasFailure()) { return 0; }
    }
}

template <class Entry>
class PackingFaults : public test::FrozenCase<Entry> {};
using Packed =
    testing::Types<test::InLooseTree<2>, test::InLooseTree<3>, test::InCrowd<2>, test::InCrowd<3>>;
TYPED_TEST_SUITE(PackingFaults, Packed, test::IndexNames);

TYPED_TEST(PackingFaults, WhoIsAskedMayThrowAtAnyQuestion) {
    typename TypeParam::Index index;
    ASSERT_NO_FATAL_FAILURE(this->make_small(index));
    auto many = this->scene_of(true, false, 30'000);
    const auto agents = many.agents();
    const std::size_t asked = throw_while_packed(index, [&](const Progress& ask) {
        if constexpr (requires { index.set_statics(agents); }) {
            return index.set_statics(agents, serial_executor(), ask);
        } else {
            return index.update(agents, serial_executor(), ask);
        }
    });
    EXPECT_GE(asked, 5u);
}

} // namespace
} // namespace throng
