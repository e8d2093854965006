// An archive is a file or a piece of memory made of sections of words, each with a checksum.
// Internal to the engine; docs/frozen.md has the format.
#pragma once

#include "../core/function_ref.hpp"
#include "../core/progress.hpp"
#include "../core/status.hpp"
#include "../memory/word_buffer.hpp"
#include "checksum.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng {

/// The version of the format, which changes when a section does.
inline constexpr std::uint32_t kArchiveVersion = 3;

/// A tag of four letters.
[[nodiscard]] constexpr std::uint32_t archive_tag(const char (&letters)[5]) noexcept {
    std::uint32_t tag = 0;
    for (std::size_t i = 4; i-- > 0;) {
        tag = tag << 8 | static_cast<unsigned char>(letters[i]);
    }
    return tag;
}

/// What is in an archive.
struct ArchiveKind {
    std::uint32_t tag = 0;
    std::uint32_t dim = 0;
};

/// Where the bytes of an archive are written. An ArchiveSource is where they are read from.
class ArchiveSink {
public:
    ArchiveSink() = default;
    ArchiveSink(const ArchiveSink&) = delete;
    ArchiveSink& operator=(const ArchiveSink&) = delete;
    virtual ~ArchiveSink();
    /// Called first, with the size of the whole archive; may throw std::bad_alloc.
    virtual void expect(std::uint64_t size) = 0;
    [[nodiscard]] virtual bool write(const void* data, std::size_t size) = 0;
};

class ArchiveSource {
public:
    ArchiveSource() = default;
    ArchiveSource(const ArchiveSource&) = delete;
    ArchiveSource& operator=(const ArchiveSource&) = delete;
    virtual ~ArchiveSource();
    [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;
    [[nodiscard]] virtual bool read(void* data, std::size_t size) = 0;
};

/// Writes sections one after another, or only counts what it would write. After an error it writes
/// nothing more.
class ArchiveWriter {
public:
    /// A writer that only counts.
    ArchiveWriter() noexcept = default;
    /// Writes what `counted` has counted.
    ArchiveWriter(ArchiveSink& sink, const ArchiveKind& kind, const ArchiveWriter& counted,
                  const Progress& progress);

    /// Begins a section of `words` words: add() them all, and call end(). False if they are only
    /// counted or something went wrong: then call neither.
    [[nodiscard]] bool begin(std::uint32_t tag, std::uint64_t words);
    void add(const void* words, std::size_t count);
    /// Writes zeros in place of unused words, so that an archive depends on the index alone, and
    /// holds nothing of agents that have left it.
    void add_zeros(std::size_t count);
    void end();

    /// Writes a whole section.
    void section(std::uint32_t tag, const void* words, std::size_t count) {
        if (!begin(tag, count)) { return; }
        add(words, count);
        end();
    }

    /// To be called once all is written.
    Status finish();

private:
    void put(const void* data, std::size_t size);
    void ask(float done);

    ArchiveSink* sink_ = nullptr;
    Progress progress_;
    Status status_;
    std::uint64_t done_ = 0, total_ = 0;
    std::uint64_t asked_ = 0; // done_ at the latest call of the progress callback
    std::uint32_t sections_ = 0;
    std::uint64_t padding_ = 0;
    Checksum checksum_{0};
};

/// Reads sections in the order in which they were written. After an error, sections are empty and
/// words read as zero; only finish() says whether there was one.
class ArchiveReader {
public:
    ArchiveReader(ArchiveSource& source, const ArchiveKind& kind, const Progress& progress);

    /// Begins the next section, which must have this tag. Returns how many words it has, all of
    /// which are in the source: read() them all, and call end().
    [[nodiscard]] std::uint64_t begin(std::uint32_t tag);
    void read(void* words, std::size_t count);
    /// Checks the sum. Before that, what was read must not be relied on.
    bool end();

    /// Reads a whole section of exactly `count` words.
    bool section(std::uint32_t tag, void* words, std::size_t count);
    /// Reads a whole section of any length into something like a vector of words.
    template <class List>
    bool list(std::uint32_t tag, List& list) {
        list.resize(static_cast<std::size_t>(begin(tag)));
        read(list.data(), list.size());
        return end();
    }
    /// Reads a whole section of any length, and puts `slack` zeros behind it. Returns how many
    /// words the section has.
    std::size_t buffer(std::uint32_t tag, std::size_t slack, WordBuffer& buffer);

    /// To be called when what was read makes no sense.
    void refuse() noexcept { fail({Cause::corrupted, Argument::file}); }
    [[nodiscard]] bool ok() const noexcept { return status_.ok(); }

    /// Ok if all was read and was right, else the first fault.
    Status finish();

private:
    void open(const ArchiveKind& kind);
    void get(void* data, std::size_t size);
    void ask(float done);
    void fail(const Status& status) noexcept {
        if (status_.ok()) { status_ = status; }
    }

    ArchiveSource& source_;
    Progress progress_;
    Status status_;
    std::uint64_t done_ = 0, total_ = 0;
    std::uint64_t asked_ = 0;
    std::uint32_t sections_ = 0; // sections still to come
    std::uint32_t section_ = 0;
    std::uint64_t left_ = 0; // bytes of this section still to come
    std::uint64_t padding_ = 0;
    Checksum checksum_{0};
};

// Whole archives. `write` and `read` handle the sections; `write` is called twice, first to count.
// After a failure, with a status or an exception, file and memory are as before.

Status write_archive(std::vector<std::byte>& memory, const ArchiveKind& kind,
                     FunctionRef<void(ArchiveWriter&)> write, const Progress& progress);
Status write_archive(const char* path, const ArchiveKind& kind,
                     FunctionRef<void(ArchiveWriter&)> write, const Progress& progress);
Status read_archive(std::span<const std::byte> memory, const ArchiveKind& kind,
                    FunctionRef<void(ArchiveReader&)> read, const Progress& progress);
Status read_archive(const char* path, const ArchiveKind& kind,
                    FunctionRef<void(ArchiveReader&)> read, const Progress& progress);

} // namespace throng
