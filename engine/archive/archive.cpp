#include "archive.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace throng {

namespace {

constexpr std::size_t kWord = sizeof(std::uint32_t);

/// Bytes of one step: few enough to be still in the second-level cache when they are summed up.
constexpr std::size_t kChunk = std::size_t{1} << 18;

/// Bytes from one call of the progress callback to the next.
constexpr std::uint64_t kAskEvery = std::uint64_t{1} << 20;

constexpr std::array<char, 6> kMagic = {'T', 'H', 'R', 'O', 'N', 'G'};
constexpr std::uint16_t kByteOrder = 0x0102; // reads differently in the other byte order

/// Written as it lies in memory, which has no padding.
struct Header {
    std::array<char, 6> magic = kMagic;
    std::uint16_t byte_order = kByteOrder;
    std::uint32_t version = kArchiveVersion;
    ArchiveKind kind;
    std::uint32_t sections = 0;
    std::uint64_t size = 0; ///< of the whole archive
    std::uint64_t checksum = 0;

    [[nodiscard]] std::uint64_t sum() const noexcept {
        Checksum sum(0);
        sum.add(this, offsetof(Header, checksum));
        return sum.value();
    }
};
static_assert(sizeof(Header) == 40);

struct SectionHead {
    std::uint32_t tag = 0;
    std::uint32_t element = kWord; ///< bytes of an element
    std::uint64_t count = 0;       ///< of elements
};
static_assert(sizeof(SectionHead) == 16);

constexpr std::uint64_t kAround = sizeof(SectionHead) + sizeof(std::uint64_t);
constexpr std::uint64_t kZeros = 0;

/// How many zero bytes come between the `bytes` bytes of a section's words and its checksum.
constexpr std::uint64_t padding_for(std::uint64_t bytes) noexcept {
    return (sizeof(std::uint64_t) - bytes % sizeof(std::uint64_t)) % sizeof(std::uint64_t);
}

float part(std::uint64_t done, std::uint64_t total) noexcept {
    return static_cast<float>(static_cast<double>(done) / static_cast<double>(total));
}

constexpr Status kCancelled = {Cause::cancelled, Argument::progress};

} // namespace

ArchiveSink::~ArchiveSink() = default;
ArchiveSource::~ArchiveSource() = default;

ArchiveWriter::ArchiveWriter(ArchiveSink& sink, const ArchiveKind& kind,
                             const ArchiveWriter& counted, const Progress& progress)
    : sink_(&sink), progress_(progress), total_(sizeof(Header) + counted.done_) {
    sink_->expect(total_);
    Header header;
    header.kind = kind;
    header.sections = counted.sections_;
    header.size = total_;
    header.checksum = header.sum();
    ask(0.0f);
    put(&header, sizeof header);
}

bool ArchiveWriter::begin(std::uint32_t tag, std::uint64_t words) {
    const std::uint64_t bytes = words * kWord;
    ++sections_;
    if (sink_ == nullptr) {
        done_ += kAround + bytes + padding_for(bytes);
        return false;
    }
    if (!status_.ok()) { return false; }
    SectionHead head;
    head.tag = tag;
    head.count = words;
    checksum_ = Checksum(sections_);
    put(&head, sizeof head);
    padding_ = padding_for(bytes);
    return true;
}

void ArchiveWriter::add(const void* words, std::size_t count) {
    const auto* bytes = static_cast<const std::byte*>(words);
    for (std::size_t left = count * kWord; left > 0 && status_.ok();) {
        const std::size_t some = std::min(left, kChunk);
        put(bytes, some);
        bytes += some;
        left -= some;
        if (done_ - asked_ >= kAskEvery) { ask(part(done_, total_)); }
    }
}

void ArchiveWriter::add_zeros(std::size_t count) {
    constexpr std::array<std::uint32_t, 64> kSome{};
    for (; count > kSome.size(); count -= kSome.size()) {
        add(kSome.data(), kSome.size());
    }
    add(kSome.data(), count);
}

void ArchiveWriter::end() {
    put(&kZeros, static_cast<std::size_t>(padding_));
    const std::uint64_t sum = checksum_.value();
    put(&sum, sizeof sum);
}

Status ArchiveWriter::finish() {
    if (status_.ok()) { ask(1.0f); }
    return status_;
}

void ArchiveWriter::put(const void* data, std::size_t size) {
    if (!status_.ok() || size == 0) { return; }
    checksum_.add(data, size);
    if (!sink_->write(data, size)) { status_ = {Cause::io_failed, Argument::file}; }
    done_ += size;
}

void ArchiveWriter::ask(float done) {
    asked_ = done_;
    if (!progress_.goes_on(done)) { status_ = kCancelled; }
}

ArchiveReader::ArchiveReader(ArchiveSource& source, const ArchiveKind& kind,
                             const Progress& progress)
    : source_(source), progress_(progress) {
    open(kind);
    if (status_.ok()) { ask(0.0f); }
}

/// The version is checked before the sum, since a host can do something about another version.
void ArchiveReader::open(const ArchiveKind& kind) {
    Header header;
    const std::uint64_t there = source_.size();
    total_ = sizeof header;
    std::array<std::byte, sizeof header> bytes{};
    get(bytes.data(), static_cast<std::size_t>(std::min<std::uint64_t>(there, sizeof header)));
    std::memcpy(&header, bytes.data(), sizeof header);
    const auto magic = static_cast<std::size_t>(std::min<std::uint64_t>(there, kMagic.size()));
    Cause cause = Cause::ok;
    if (!std::equal(kMagic.begin(), kMagic.begin() + static_cast<std::ptrdiff_t>(magic),
                    header.magic.begin())) {
        cause = Cause::not_an_index;
    } else if (there < sizeof header) {
        cause = Cause::truncated;
    } else if (header.byte_order != kByteOrder || header.version != kArchiveVersion) {
        cause = Cause::other_version;
    } else if (header.checksum != header.sum()) {
        cause = Cause::corrupted;
    } else if (header.kind.tag != kind.tag) {
        cause = Cause::not_an_index;
    } else if (header.kind.dim != kind.dim) {
        cause = Cause::other_version;
    } else if (header.size != there) {
        cause = Cause::truncated;
    }
    if (cause != Cause::ok) { fail({cause, Argument::file}); }
    total_ = there;
    sections_ = header.sections;
}

std::uint64_t ArchiveReader::begin(std::uint32_t tag) {
    left_ = 0;
    if (ok() && sections_ == 0) { refuse(); }
    if (!ok()) { return 0; }
    --sections_;
    checksum_ = Checksum(++section_);
    SectionHead head;
    get(&head, sizeof head);
    if (!ok()) { return 0; }
    const std::uint64_t room = total_ - done_;
    if (head.tag != tag || head.element != kWord || head.count > room / kWord) {
        refuse();
        return 0;
    }
    left_ = head.count * kWord;
    padding_ = padding_for(left_);
    if (left_ + padding_ + sizeof(std::uint64_t) > room) {
        refuse();
        left_ = 0;
    }
    return left_ / kWord;
}

void ArchiveReader::read(void* words, std::size_t count) {
    auto* bytes = static_cast<std::byte*>(words);
    std::size_t left = count * kWord;
    if (left > left_) { refuse(); }
    while (left > 0 && ok()) {
        const std::size_t some = std::min(left, kChunk);
        get(bytes, some);
        bytes += some;
        left -= some;
        left_ -= some;
        if (ok() && done_ - asked_ >= kAskEvery) { ask(part(done_, total_)); }
    }
    if (left > 0) { std::memset(bytes, 0, left); }
}

bool ArchiveReader::end() {
    if (left_ != 0) { refuse(); }
    if (!ok()) { return false; }
    std::uint64_t zeros = 0;
    get(&zeros, static_cast<std::size_t>(padding_));
    const std::uint64_t wanted = checksum_.value();
    std::uint64_t sum = 0;
    get(&sum, sizeof sum);
    if (sum != wanted || zeros != 0) { refuse(); }
    return ok();
}

bool ArchiveReader::section(std::uint32_t tag, void* words, std::size_t count) {
    if (begin(tag) != count) { refuse(); }
    read(words, count);
    return end();
}

std::size_t ArchiveReader::buffer(std::uint32_t tag, std::size_t slack, WordBuffer& buffer) {
    const auto words = static_cast<std::size_t>(begin(tag));
    if (words + slack != 0) {
        buffer = WordBuffer(words + slack);
        read(buffer.data(), words);
        std::fill_n(buffer.data() + words, slack, 0u);
    }
    return end() ? words : 0;
}

Status ArchiveReader::finish() {
    if (ok() && (sections_ != 0 || done_ != total_)) { refuse(); }
    if (ok()) { ask(1.0f); }
    return status_;
}

void ArchiveReader::get(void* data, std::size_t size) {
    if (!ok() || size == 0) { return; }
    if (size > total_ - done_) { return refuse(); }
    if (!source_.read(data, size)) { return fail({Cause::io_failed, Argument::file}); }
    checksum_.add(data, size);
    done_ += size;
}

void ArchiveReader::ask(float done) {
    asked_ = done_;
    if (!progress_.goes_on(done)) { fail(kCancelled); }
}

} // namespace throng
