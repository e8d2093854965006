// The files of a checkpoint: an index, and one file of agents for each rank that saved. Internal to
// distributed/.
#pragma once

#include "../../engine/agents/agents.hpp"
#include "../../engine/agents/box.hpp"
#include "../../engine/core/status.hpp"
#include "../../engine/memory/vector.hpp"
#include "../share.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace throng {

/// What the file `crowd` contains.
template <std::size_t Dim>
struct CheckpointIndex {
    std::uint64_t generation = 0; ///< number of the checkpoint in its folder, from 1 on
    Box<Dim> bounds{};
    Point<Dim> cell{};
    float reach = 0.0f;
    CrowdKind<Dim> kind{};
    std::array<bool, Dim> periodic{};
    Vector<std::uint32_t> columns; ///< for each: bytes of an element, and how it travels
    Vector<std::uint64_t> agents;  ///< in each file

    Status write(const std::string& folder);
    Status read(const std::string& folder);
    /// A fingerprint of all members.
    [[nodiscard]] std::uint64_t fingerprint() const noexcept;
};

/// An array with an element for each agent. Byte is const for saving.
template <class Byte>
struct CheckpointArray {
    Byte* data = nullptr;
    std::size_t bytes = 0; ///< of an element
};

/// Agents are in blocks of this many, each with a checksum, so a rank can read any part of a file.
inline constexpr std::size_t kCheckpointBlock = std::size_t{1} << 14;

/// A file of agents: its number and its contents.
struct CheckpointFile {
    std::string folder;
    std::uint64_t generation = 0, number = 0;
    std::uint64_t agents = 0;
    std::uint64_t bytes = 0; ///< of one agent, over all arrays

    [[nodiscard]] std::filesystem::path path() const;
    [[nodiscard]] std::uint64_t blocks() const noexcept {
        return agents / kCheckpointBlock + (agents % kCheckpointBlock != 0 ? 1 : 0);
    }
    /// Writes all agents: the elements of the arrays without the `count` elements from `skipped`
    /// on.
    [[nodiscard]] Status write(std::span<const CheckpointArray<const std::byte>> arrays,
                               std::size_t skipped, std::size_t count) const;
    /// Refuses a file whose length does not fit its number of agents.
    [[nodiscard]] Status check_length() const;
    /// Reads blocks first ... past - 1 into the arrays, from their beginning.
    [[nodiscard]] Status read(std::span<const CheckpointArray<std::byte>> arrays,
                              std::uint64_t first, std::uint64_t past) const;
    void remove() const;

private:
    [[nodiscard]] std::uint64_t block_length(std::uint64_t count) const noexcept;
};

/// The folder of this name. Names are UTF-8 on every system.
[[nodiscard]] inline std::filesystem::path folder_of(const std::string& name) {
    return std::u8string(name.begin(), name.end());
}

/// The largest generation among the files of agents in a folder, complete or not; 0 if there is
/// none.
[[nodiscard]] std::uint64_t last_generation(const std::string& folder);

/// Removes all files of agents in a folder except files 0 ... `files` - 1 of this generation;
/// failures are ignored. Files that merely have such a name stay.
void remove_other_files(const std::string& folder, std::uint64_t generation, std::uint64_t files);

} // namespace throng
