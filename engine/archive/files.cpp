// Archives in memory and in files.
#include "archive.hpp"
#include "file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

namespace throng {

namespace {

class MemorySink final : public ArchiveSink {
public:
    explicit MemorySink(std::vector<std::byte>& memory) noexcept : memory_(memory) {}
    void expect(std::uint64_t size) override { memory_.reserve(static_cast<std::size_t>(size)); }
    bool write(const void* data, std::size_t size) override {
        const auto* const bytes = static_cast<const std::byte*>(data);
        memory_.insert(memory_.end(), bytes, bytes + size);
        return true;
    }

private:
    std::vector<std::byte>& memory_;
};

class BytesSource final : public ArchiveSource {
public:
    explicit BytesSource(std::span<const std::byte> memory) noexcept : memory_(memory) {}
    [[nodiscard]] std::uint64_t size() const noexcept override { return memory_.size(); }
    bool read(void* data, std::size_t size) override {
        std::memcpy(data, memory_.data() + at_, size);
        at_ += size;
        return true;
    }

private:
    std::span<const std::byte> memory_;
    std::size_t at_ = 0;
};

/// The size of the buffer for small writes and reads; large ones bypass it.
constexpr std::size_t kFileBuffer = std::size_t{1} << 16;

/// Writes a new file beside `path`. In the end the new file replaces the one at `path`, or is
/// removed.
class FileSink final : public ArchiveSink {
public:
    explicit FileSink(const char* path) : path_(path) {
        // An unused name: leftovers of a program that ended too early stay where they are.
        constexpr int kTries = 1000;
        for (int i = 0; i < kTries && file_ == nullptr; ++i) {
            beside_ = path_ + ".part" + std::to_string(i);
            file_ = create_file(beside_.c_str());
            if (file_ == nullptr && errno != EEXIST) { break; }
        }
        if (file_ == nullptr) {
            beside_.clear();
            return;
        }
        (void)std::setvbuf(file_.get(), nullptr, _IOFBF, kFileBuffer);
    }
    ~FileSink() override {
        if (beside_.empty()) { return; }
        file_.reset();
        remove_file(beside_.c_str());
    }

    [[nodiscard]] bool is_open() const noexcept { return file_ != nullptr; }
    void expect(std::uint64_t) override {}
    bool write(const void* data, std::size_t size) override {
        return std::fwrite(data, 1, size, file_.get()) == size;
    }
    /// Closing may fail too: fclose() may be the first call to report that a write failed.
    bool replace() {
        if (std::fclose(file_.release()) != 0) { return false; }
        if (!rename_file(beside_.c_str(), path_.c_str())) { return false; }
        beside_.clear();
        return true;
    }

private:
    std::string path_, beside_;
    File file_;
};

class FileSource final : public ArchiveSource {
public:
    explicit FileSource(const char* path) : file_(open_file(path)) {
        if (file_ == nullptr) { return; }
        (void)std::setvbuf(file_.get(), nullptr, _IOFBF, kFileBuffer);
        if (const auto size = size_of(file_.get())) {
            size_ = *size;
        } else {
            file_.reset();
        }
    }
    [[nodiscard]] bool is_open() const noexcept { return file_ != nullptr; }
    [[nodiscard]] std::uint64_t size() const noexcept override { return size_; }
    bool read(void* data, std::size_t size) override {
        return std::fread(data, 1, size, file_.get()) == size;
    }

private:
    File file_;
    std::uint64_t size_ = 0;
};

constexpr Status kFailed = {Cause::io_failed, Argument::file};

Status write_to(ArchiveSink& sink, const ArchiveKind& kind, FunctionRef<void(ArchiveWriter&)> write,
                const Progress& progress) {
    ArchiveWriter counted;
    write(counted);
    ArchiveWriter writer(sink, kind, counted, progress);
    write(writer);
    return writer.finish();
}

Status read_from(ArchiveSource& source, const ArchiveKind& kind,
                 FunctionRef<void(ArchiveReader&)> read, const Progress& progress) {
    ArchiveReader reader(source, kind, progress);
    if (reader.ok()) { read(reader); }
    return reader.finish();
}

} // namespace

Status write_archive(std::vector<std::byte>& memory, const ArchiveKind& kind,
                     FunctionRef<void(ArchiveWriter&)> write, const Progress& progress) {
    std::vector<std::byte> written;
    MemorySink sink(written);
    const Status status = write_to(sink, kind, write, progress);
    if (status.ok()) { memory.swap(written); }
    return status;
}

Status write_archive(const char* path, const ArchiveKind& kind,
                     FunctionRef<void(ArchiveWriter&)> write, const Progress& progress) {
    if (path == nullptr) { return kFailed; }
    FileSink sink(path);
    if (!sink.is_open()) { return kFailed; }
    const Status status = write_to(sink, kind, write, progress);
    if (!status.ok()) { return status; }
    return sink.replace() ? Status{} : kFailed;
}

Status read_archive(std::span<const std::byte> memory, const ArchiveKind& kind,
                    FunctionRef<void(ArchiveReader&)> read, const Progress& progress) {
    BytesSource source(memory);
    return read_from(source, kind, read, progress);
}

Status read_archive(const char* path, const ArchiveKind& kind,
                    FunctionRef<void(ArchiveReader&)> read, const Progress& progress) {
    if (path == nullptr) { return kFailed; }
    FileSource source(path);
    return source.is_open() ? read_from(source, kind, read, progress) : kFailed;
}

} // namespace throng
