#include "checkpoint_files.hpp"

#include "../../engine/archive/archive.hpp"
#include "../../engine/archive/archive_numbers.hpp"
#include "../../engine/archive/checksum.hpp"
#include "../../engine/core/id.hpp"
#include "../fingerprint.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace throng {

namespace {

constexpr Status kFailed = {Cause::io_failed, Argument::file};
constexpr Status kCorrupted = {Cause::corrupted, Argument::file};

constexpr std::uint32_t kIndexTag = archive_tag("JOB ");
constexpr std::uint32_t kNumbersTag = archive_tag("JNUM");
constexpr std::uint32_t kColumnsTag = archive_tag("JCOL");
constexpr std::uint32_t kAgentsTag = archive_tag("JAGS");

/// All members that are not arrays, in the same order for reading and writing.
template <class Numbers, class Index>
void each_number(Numbers& numbers, Index& index) {
    numbers.number(index.generation);
    numbers.number(index.bounds.lo);
    numbers.number(index.bounds.hi);
    numbers.number(index.cell);
    numbers.number(index.reach);
    numbers.number(index.kind);
    // Only worlds that wrap have these, as files of earlier versions have none.
    const auto& periodic = index.periodic;
    if (numbers.goes_on(std::find(periodic.begin(), periodic.end(), true) != periodic.end())) {
        numbers.number(index.periodic);
    }
}

std::string index_path(const std::string& folder) { return folder + "/crowd"; }

/// The head of a block, before its arrays. A checksum of head and arrays follows the arrays.
struct BlockHead {
    std::uint64_t generation = 0, file = 0, block = 0, agents = 0;
    friend bool operator==(const BlockHead&, const BlockHead&) noexcept = default;
};

/// Calls call(generation, number) for all files of agents in a folder: file 3 of generation 12 is
/// named 12-3.
template <class Call>
void for_each_file(const std::string& folder, const Call& call) {
    std::error_code error;
    std::filesystem::directory_iterator entry(folder_of(folder), error);
    while (!error && entry != std::filesystem::directory_iterator{}) {
        const std::string name = entry->path().filename().string();
        entry.increment(error); // before the file may be removed
        const char* const end = name.data() + name.size();
        std::uint64_t generation = 0, number = 0;
        const auto first = std::from_chars(name.data(), end, generation);
        if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '-') { continue; }
        const auto second = std::from_chars(first.ptr + 1, end, number);
        if (second.ec == std::errc{} && second.ptr == end) { call(generation, number); }
    }
}

/// Whether a file is the file of agents that its name says: the head of its first block must have
/// the same numbers. If the file ends within the head, only the bytes that it has must agree.
bool is_checkpoint(const CheckpointFile& file) {
    BlockHead head;
    std::ifstream bytes(file.path(), std::ios::binary);
    bytes.read(reinterpret_cast<char*>(&head), sizeof head);
    const auto read = static_cast<std::size_t>(bytes.gcount());
    const BlockHead wanted = {file.generation, file.number, 0, head.agents};
    return std::memcmp(&head, &wanted, std::min(read, offsetof(BlockHead, agents))) == 0;
}

} // namespace

template <std::size_t Dim>
Status CheckpointIndex<Dim>::write(const std::string& folder) {
    NumbersOut numbers;
    each_number(numbers, *this);
    Vector<std::uint32_t> halves;
    for (const std::uint64_t count : agents) {
        halves.push_back(static_cast<std::uint32_t>(count));
        halves.push_back(static_cast<std::uint32_t>(count >> 32));
    }
    const auto sections = [&](ArchiveWriter& out) {
        numbers.write(kNumbersTag, out);
        out.section(kColumnsTag, columns.data(), columns.size());
        out.section(kAgentsTag, halves.data(), halves.size());
    };
    return write_archive(index_path(folder).c_str(), {kIndexTag, Dim}, sections, {});
}

template <std::size_t Dim>
Status CheckpointIndex<Dim>::read(const std::string& folder) {
    const auto sections = [&](ArchiveReader& in) {
        NumbersIn numbers(kNumbersTag, in);
        each_number(numbers, *this);
        (void)numbers.end();
        (void)in.list(kColumnsTag, columns);
        Vector<std::uint32_t> halves;
        (void)in.list(kAgentsTag, halves);
        if (halves.size() % 2 != 0) { return in.refuse(); }
        agents.clear();
        for (std::size_t i = 0; i < halves.size(); i += 2) {
            agents.push_back(halves[i] | std::uint64_t{halves[i + 1]} << 32);
            if (agents.back() > kMaxAgents) { in.refuse(); } // more than a rank can have
        }
    };
    return read_archive(index_path(folder).c_str(), {kIndexTag, Dim}, sections, {});
}

template <std::size_t Dim>
std::uint64_t CheckpointIndex<Dim>::fingerprint() const noexcept {
    Fingerprint all;
    all.add(generation);
    for (std::size_t a = 0; a < Dim; ++a) {
        for (const float value :
             {bounds.lo[a], bounds.hi[a], cell[a], kind.common_half_extent[a]}) {
            all.add(std::bit_cast<std::uint32_t>(value));
        }
    }
    all.add(std::bit_cast<std::uint32_t>(reach));
    all.add((kind.own_half_extents ? 2u : 0u) + (kind.groups ? 1u : 0u));
    for (const bool wraps : periodic) {
        all.add(wraps ? 1 : 0);
    }
    for (const std::uint32_t word : columns) {
        all.add(word);
    }
    for (const std::uint64_t count : agents) {
        all.add(count);
    }
    return all.value();
}

std::filesystem::path CheckpointFile::path() const {
    return folder_of(folder) / (std::to_string(generation) + "-" + std::to_string(number));
}

std::uint64_t CheckpointFile::block_length(std::uint64_t count) const noexcept {
    return sizeof(BlockHead) + count * bytes + sizeof(std::uint64_t);
}

Status CheckpointFile::write(std::span<const CheckpointArray<const std::byte>> arrays,
                             std::size_t skipped, std::size_t count) const {
    std::ofstream file(path(), std::ios::binary | std::ios::trunc);
    if (!file) { return kFailed; }
    const auto put = [&](Checksum& sum, const void* data, std::size_t size) {
        sum.add(data, size);
        file.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
    };
    for (std::uint64_t block = 0; block < blocks(); ++block) {
        const std::size_t begin = static_cast<std::size_t>(block) * kCheckpointBlock;
        const std::size_t end =
            std::min(begin + kCheckpointBlock, static_cast<std::size_t>(agents));
        const BlockHead head = {generation, number, block, end - begin};
        Checksum sum(0);
        put(sum, &head, sizeof head);
        for (const auto& array : arrays) {
            // The skipped agents may lie in the middle of the block.
            const std::size_t before = std::clamp(skipped, begin, end);
            put(sum, array.data + begin * array.bytes, (before - begin) * array.bytes);
            put(sum, array.data + (before + count) * array.bytes, (end - before) * array.bytes);
        }
        const std::uint64_t value = sum.value();
        file.write(reinterpret_cast<const char*>(&value), sizeof value);
    }
    file.close(); // closing may fail, too
    return file ? Status{} : kFailed;
}

Status CheckpointFile::check_length() const {
    std::error_code error;
    const std::uint64_t length = std::filesystem::file_size(path(), error);
    if (error) { return kFailed; }
    const std::uint64_t rest = agents % kCheckpointBlock;
    // Divides first, so that no product overflows.
    const bool right = agents <= length / bytes &&
                       length == agents / kCheckpointBlock * block_length(kCheckpointBlock) +
                                     (rest != 0 ? block_length(rest) : 0);
    return right ? Status{} : Status{Cause::truncated, Argument::file};
}

Status CheckpointFile::read(std::span<const CheckpointArray<std::byte>> arrays, std::uint64_t first,
                            std::uint64_t past) const {
    std::ifstream file(path(), std::ios::binary);
    file.seekg(static_cast<std::streamoff>(first * block_length(kCheckpointBlock)));
    for (std::uint64_t block = first; block < past && file; ++block) {
        const std::uint64_t count =
            std::min<std::uint64_t>(kCheckpointBlock, agents - block * kCheckpointBlock);
        const auto done = static_cast<std::size_t>(block - first) * kCheckpointBlock;
        Checksum sum(0);
        const auto get = [&](void* data, std::size_t size) {
            file.read(static_cast<char*>(data), static_cast<std::streamsize>(size));
            if (file) { sum.add(data, size); }
        };
        BlockHead head;
        get(&head, sizeof head);
        if (file && !(head == BlockHead{generation, number, block, count})) { return kCorrupted; }
        for (const auto& array : arrays) {
            get(array.data + done * array.bytes, static_cast<std::size_t>(count) * array.bytes);
        }
        std::uint64_t value = 0;
        file.read(reinterpret_cast<char*>(&value), sizeof value);
        if (file && value != sum.value()) { return kCorrupted; }
    }
    return file ? Status{} : kFailed;
}

void CheckpointFile::remove() const {
    std::error_code error;
    std::filesystem::remove(path(), error);
}

std::uint64_t last_generation(const std::string& folder) {
    std::uint64_t last = 0;
    for_each_file(folder, [&](std::uint64_t generation, std::uint64_t) {
        last = std::max(last, generation);
    });
    return last;
}

void remove_other_files(const std::string& folder, std::uint64_t generation, std::uint64_t files) {
    for_each_file(folder, [&](std::uint64_t other, std::uint64_t number) {
        if (other == generation && number < files) { return; }
        CheckpointFile file;
        file.folder = folder;
        file.generation = other;
        file.number = number;
        if (is_checkpoint(file)) { file.remove(); }
    });
}

template struct CheckpointIndex<2>;
template struct CheckpointIndex<3>;

} // namespace throng
