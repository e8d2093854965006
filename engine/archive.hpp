// A file, or a piece of memory, made of sections of words, each with its checksum. Internal to the
// engine; docs/frozen.md has the format.
#pragma once

#include "checksum.hpp"
#include "function_ref.hpp"
#include "progress.hpp"
#include "status.hpp"
#include "word_buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng {

/// Four letters.
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

/// Where the bytes of an archive go, or come from.
class ArchiveSink {
public:
    ArchiveSink() = default;
    ArchiveSink(const ArchiveSink&) = delete;
    ArchiveSink& operator=(const ArchiveSink&) = delete;
    virtual ~ArchiveSink();
    /// Room for so many bytes will be needed; may throw std::bad_alloc.
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

/// Writes sections one after another, or only counts what they will come to. Once something has
/// gone wrong, nothing is written any more.
class ArchiveWriter {
public:
    /// Counts.
    ArchiveWriter() noexcept = default;
    /// Writes what `counted` has counted.
    ArchiveWriter(ArchiveSink& sink, const ArchiveKind& kind, const ArchiveWriter& counted,
                  const Progress& progress);

    /// A section of so many words: add() them all, and end(). False if they need not be added,
    /// since they are only counted or something went wrong; then there is no end() either.
    [[nodiscard]] bool begin(std::uint32_t tag, std::uint64_t words);
    void add(const void* words, std::size_t count);
    /// Words that mean nothing are written as zeros: so what is in an archive follows from the
    /// index alone, and who has left it is not to be read there.
    void add_zeros(std::size_t count);
    void end();

    /// A whole section.
    void section(std::uint32_t tag, const void* words, std::size_t count) {
        if (!begin(tag, count)) { return; }
        add(words, count);
        end();
    }

    /// Once all is written.
    Status finish();

private:
    void put(const void* data, std::size_t size);
    void ask(float done);

    ArchiveSink* sink_ = nullptr;
    Progress progress_;
    Status status_;
    std::uint64_t done_ = 0, total_ = 0;
    std::uint64_t asked_ = 0; // bytes at the latest question
    std::uint32_t sections_ = 0;
    std::uint64_t padding_ = 0;
    Checksum checksum_{0};
};

/// Reads sections in the order in which they were written. Once something has gone wrong, sections
/// are empty and what is read is zero; only finish() says that all was right.
class ArchiveReader {
public:
    ArchiveReader(ArchiveSource& source, const ArchiveKind& kind, const Progress& progress);

    /// The next section, which must have this tag; returns how many words it has, and so many there
    /// are in the source: read() all of them, and end().
    [[nodiscard]] std::uint64_t begin(std::uint32_t tag);
    void read(void* words, std::size_t count);
    /// Checks the sum. What was read is not to be relied on before.
    bool end();

    /// A whole section of exactly so many words.
    bool section(std::uint32_t tag, void* words, std::size_t count);
    /// A whole section of any length, into something like a vector of words.
    template <class List>
    bool list(std::uint32_t tag, List& list) {
        list.resize(static_cast<std::size_t>(begin(tag)));
        read(list.data(), list.size());
        return end();
    }
    /// A whole section of any length, with `slack` zeros behind it. Returns how many words it has.
    std::size_t buffer(std::uint32_t tag, std::size_t slack, WordBuffer& buffer);

    /// What was read makes no sense.
    void refuse() noexcept { fail({Cause::corrupted, Argument::file}); }
    [[nodiscard]] bool ok() const noexcept { return status_.ok(); }

    /// Whether all has been read, and all was right.
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
    std::uint32_t sections_ = 0; // those that are still to come
    std::uint32_t section_ = 0;
    std::uint64_t left_ = 0; // bytes of the section that are still to come
    std::uint64_t padding_ = 0;
    Checksum checksum_{0};
};

// Whole archives. `write` and `read` are what does it, with whatever sections it takes; `write` is
// called twice, first to count. After a failure, with a status or an exception, file and memory are
// what they were.

Status write_archive(std::vector<std::byte>& memory, const ArchiveKind& kind,
                     FunctionRef<void(ArchiveWriter&)> write, const Progress& progress);
Status write_archive(const char* path, const ArchiveKind& kind,
                     FunctionRef<void(ArchiveWriter&)> write, const Progress& progress);
Status read_archive(std::span<const std::byte> memory, const ArchiveKind& kind,
                    FunctionRef<void(ArchiveReader&)> read, const Progress& progress);
Status read_archive(const char* path, const ArchiveKind& kind,
                    FunctionRef<void(ArchiveReader&)> read, const Progress& progress);

} // namespace throng
