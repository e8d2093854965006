#include "mpi_ranks.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <thread>
#include <utility>

static_assert(MPI_VERSION >= 3, "Throng needs MPI 3.0");

namespace throng {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// Messages with one tag from one rank arrive in the order in which they were sent.
enum class Tag : int { header = 1, body, ask, answer };

/// Bodies go in pieces, since MPI takes lengths as int. A rank without memory for a body receives
/// it piece by piece into one buffer of this size, so that its sender does not wait.
constexpr std::size_t kPiece = std::size_t{1} << 20;
/// A rank that waits spins this long, then lets others run.
constexpr std::chrono::microseconds kSpin(20);
constexpr std::uint64_t kSignature = 0x7468'726F'6E67'3031u; // "throng01"

/// Sent before each body.
struct Header {
    std::uint64_t signature = kSignature;
    std::uint64_t exchange = 0; ///< number of the exchange, equal on both sides
    std::uint64_t bytes = 0;
    std::uint64_t refused = 0; ///< 1: the sender has no memory to send the body
};
static_assert(sizeof(Header) == 32);

/// The answer of a waiting rank to Tag::ask.
struct Answer {
    std::uint64_t number = 0; ///< of the call in which the rank waits
    std::array<char, 24> call{};
};
static_assert(sizeof(Answer) == 32);

std::size_t pieces_of(std::size_t bytes) noexcept { return (bytes + kPiece - 1) / kPiece; }

/// Maps words to signed numbers in the same order. MPICH 4.0.2 takes the minimum of unsigned
/// numbers as if they were signed: of 5 and 2^64 - 1 it finds the latter.
std::int64_t turned(std::uint64_t word) noexcept {
    return static_cast<std::int64_t>(word ^ std::uint64_t{1} << 63);
}
std::uint64_t turned_back(std::int64_t word) noexcept {
    return static_cast<std::uint64_t>(word) ^ std::uint64_t{1} << 63;
}

/// Calls send(first, length) for each piece of a body.
template <class Send>
void for_each_piece(std::size_t bytes, const Send& send) {
    for (std::size_t first = 0; first < bytes; first += kPiece) {
        send(first, static_cast<int>(std::min(kPiece, bytes - first)));
    }
}

} // namespace

struct MpiRanks::State {
    State(MPI_Comm job, Seconds longest);
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State();

    /// Notes a failure of MPI. Returns whether MPI has never failed so far.
    bool fine(int error) noexcept {
        lost = lost || error != MPI_SUCCESS;
        return !lost;
    }
    [[nodiscard]] Status status() const noexcept {
        return lost ? Status{Cause::rank_lost} : Status{};
    }
    void begin_call(const char* kind) noexcept {
        step = kind;
        ++call_number;
    }

    void send(const void* bytes, int count, std::uint32_t to, Tag tag, MPI_Request& request);
    void receive(void* bytes, int count, int sender, Tag tag, MPI_Request& request);
    void wait(std::span<MPI_Request> requests);

    bool prepare(std::span<const Parcel> parcels) noexcept;
    void begin_exchange(std::span<const Parcel> parcels, std::span<const std::uint32_t> ranks);
    bool make_room(std::vector<Arrival>& arrivals) noexcept;
    void drain(const Header& header, std::uint32_t sender);
    void receive_bodies(std::vector<Arrival>& arrivals);
    void finish_exchange(std::vector<Arrival>& arrivals);
    void route(std::span<const Parcel> parcels, std::vector<Arrival>& arrivals);

    void begin_agree(std::span<const std::uint64_t> words) noexcept;
    void gather(std::span<const std::uint64_t> own, std::span<std::uint64_t> all);
    void answer_others();
    [[nodiscard]] std::string silent_ranks();
    void end_job();

    MPI_Comm comm = MPI_COMM_NULL;
    std::uint32_t rank = 0, size = 1;
    bool threads = false;
    bool lost = false;
    Seconds patience;

    // Messages on the way. After the start, only bodies and their requests grow here.
    std::uint64_t exchange = 0;
    std::span<const std::uint32_t> from;
    std::vector<Header> headers_out, headers_in;
    std::vector<MPI_Request> header_requests; ///< the receives, then the sends
    std::size_t headers_sent = 0;
    std::vector<MPI_Request> sends, receives; ///< of bodies
    std::vector<std::byte> scratch;
    std::vector<Arrival> given_up;
    std::vector<unsigned char> goes, comes; ///< 1 for ranks that a route sends to, or receives from
    std::vector<std::uint32_t> senders;
    std::array<std::int64_t, kMostWords> words_out{}, words_in{};
    MPI_Request agreement = MPI_REQUEST_NULL;

    // For the report of a rank that waits too long.
    const char* call = "a call"; ///< the host's call of the crowd
    const char* step = "";
    std::uint64_t call_number = 0;
    char asking = 0;
    MPI_Request asked = MPI_REQUEST_NULL;
};

MpiRanks::State::State(MPI_Comm job, Seconds longest) : patience(longest) {
    int running = 0, finished = 0, level = 0, own = 0, all = 1;
    fine(MPI_Initialized(&running));
    fine(MPI_Finalized(&finished));
    lost = lost || running == 0 || finished != 0 || job == MPI_COMM_NULL;
    if (lost || !fine(MPI_Comm_dup(job, &comm))) { return; }
    fine(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    fine(MPI_Query_thread(&level));
    fine(MPI_Comm_rank(comm, &own));
    fine(MPI_Comm_size(comm, &all));
    threads = level >= MPI_THREAD_FUNNELED;
    rank = static_cast<std::uint32_t>(own);
    size = static_cast<std::uint32_t>(all);
    headers_out.resize(size);
    headers_in.resize(size);
    header_requests.resize(2 * std::size_t{size}, MPI_REQUEST_NULL);
    goes.resize(size);
    comes.resize(size);
    senders.reserve(size);
    scratch.resize(kPiece);
    if (patience > Seconds(0.0)) { receive(&asking, 1, MPI_ANY_SOURCE, Tag::ask, asked); }
}

MpiRanks::State::~State() {
    int finished = 0;
    if (comm == MPI_COMM_NULL || lost || MPI_Finalized(&finished) != MPI_SUCCESS || finished != 0) {
        return;
    }
    if (asked != MPI_REQUEST_NULL) { // no message may be on the way when the communicator is freed
        MPI_Request last = MPI_REQUEST_NULL;
        const char none = 0;
        send(&none, 1, rank, Tag::ask, last);
        MPI_Waitall(1, &last, MPI_STATUSES_IGNORE);
        MPI_Waitall(1, &asked, MPI_STATUSES_IGNORE);
    }
    MPI_Comm_free(&comm);
}

void MpiRanks::State::send(const void* bytes, int count, std::uint32_t to, Tag tag,
                           MPI_Request& request) {
    if (lost) { return; }
    fine(MPI_Isend(bytes, count, MPI_BYTE, static_cast<int>(to), static_cast<int>(tag), comm,
                   &request));
}

void MpiRanks::State::receive(void* bytes, int count, int sender, Tag tag, MPI_Request& request) {
    if (lost) { return; }
    fine(MPI_Irecv(bytes, count, MPI_BYTE, sender, static_cast<int>(tag), comm, &request));
}

/// Not MPI_Waitall(): it has no time limit, and MPICH's spins without letting other ranks run. With
/// 16 ranks on two processors the tests took more than 100 s with it, and take 33 s with this loop.
void MpiRanks::State::wait(std::span<MPI_Request> requests) {
    const Clock::time_point start = Clock::now();
    const auto count = static_cast<int>(requests.size());
    for (int done = 0; !lost;) {
        fine(MPI_Testall(count, requests.data(), &done, MPI_STATUSES_IGNORE));
        if (lost || done != 0) { return; }
        const Clock::duration waited = Clock::now() - start;
        if (waited > kSpin) { std::this_thread::yield(); }
        if (!(patience > Seconds(0.0))) { continue; }
        answer_others();
        if (waited > patience) { end_job(); }
    }
}

/// Makes room for sending. Returns false if there is no memory.
bool MpiRanks::State::prepare(std::span<const Parcel> parcels) noexcept {
    try {
        std::size_t pieces = 0;
        for (const Parcel& parcel : parcels) {
            pieces += pieces_of(parcel.bytes.size());
        }
        sends.assign(pieces, MPI_REQUEST_NULL);
        return true;
    } catch (const std::bad_alloc&) {
        sends.clear();
        return false;
    }
}

/// Whatever goes wrong, this rank sends a header to all that wait for one.
void MpiRanks::State::begin_exchange(std::span<const Parcel> parcels,
                                     std::span<const std::uint32_t> ranks) {
    ++exchange;
    from = ranks;
    for (std::size_t i = 0; i < from.size(); ++i) {
        receive(&headers_in[i], sizeof(Header), static_cast<int>(from[i]), Tag::header,
                header_requests[i]);
    }
    const bool room = prepare(parcels);
    headers_sent = parcels.size();
    for (std::size_t i = 0; i < parcels.size(); ++i) {
        headers_out[i] = {kSignature, exchange, room ? parcels[i].bytes.size() : 0, room ? 0u : 1u};
        send(&headers_out[i], sizeof(Header), parcels[i].to, Tag::header,
             header_requests[from.size() + i]);
    }
    if (!room) { throw std::bad_alloc(); }
    std::size_t next = 0;
    for (const Parcel& parcel : parcels) {
        for_each_piece(parcel.bytes.size(), [&](std::size_t first, int length) {
            send(parcel.bytes.data() + first, length, parcel.to, Tag::body, sends[next++]);
        });
    }
}

/// Makes room for all bodies that come. Returns false if there is no memory.
bool MpiRanks::State::make_room(std::vector<Arrival>& arrivals) noexcept {
    try {
        arrivals.resize(from.size());
        std::size_t pieces = 0;
        for (std::size_t i = 0; i < from.size(); ++i) {
            arrivals[i].from = from[i];
            arrivals[i].bytes.resize(headers_in[i].bytes);
            pieces += pieces_of(headers_in[i].bytes);
        }
        receives.assign(pieces, MPI_REQUEST_NULL);
        return true;
    } catch (const std::exception&) { // std::length_error, too
        arrivals.clear();
        receives.clear();
        return false;
    }
}

/// Receives a body for which there is no room.
void MpiRanks::State::drain(const Header& header, std::uint32_t sender) {
    for_each_piece(header.bytes, [&](std::size_t, int length) {
        MPI_Request request = MPI_REQUEST_NULL;
        receive(scratch.data(), length, static_cast<int>(sender), Tag::body, request);
        wait({&request, 1});
    });
}

void MpiRanks::State::receive_bodies(std::vector<Arrival>& arrivals) {
    std::size_t next = 0;
    for (Arrival& arrival : arrivals) {
        for_each_piece(arrival.bytes.size(), [&](std::size_t first, int length) {
            receive(arrival.bytes.data() + first, length, static_cast<int>(arrival.from), Tag::body,
                    receives[next++]);
        });
    }
    wait(receives);
}

void MpiRanks::State::finish_exchange(std::vector<Arrival>& arrivals) {
    const std::span<MPI_Request> headers(header_requests);
    wait(headers.first(from.size()));
    for (std::size_t i = 0; i < from.size() && !lost; ++i) {
        const Header& header = headers_in[i];
        lost = header.signature != kSignature || header.exchange != exchange;
    }
    if (lost) { return; }
    const bool room = make_room(arrivals);
    if (room) {
        receive_bodies(arrivals);
    } else {
        for (std::size_t i = 0; i < from.size(); ++i) {
            drain(headers_in[i], from[i]);
        }
    }
    wait(headers.subspan(from.size(), headers_sent));
    wait(sends);
    if (lost) { given_up.swap(arrivals); } // MPI may still write into them
    if (!room && !lost) { throw std::bad_alloc(); }
}

void MpiRanks::State::route(std::span<const Parcel> parcels, std::vector<Arrival>& arrivals) {
    if (lost) { return; }
    std::fill(goes.begin(), goes.end(), static_cast<unsigned char>(0));
    for (const Parcel& parcel : parcels) {
        goes[parcel.to] = 1;
    }
    MPI_Request request = MPI_REQUEST_NULL;
    fine(MPI_Ialltoall(goes.data(), 1, MPI_BYTE, comes.data(), 1, MPI_BYTE, comm, &request));
    wait({&request, 1});
    if (lost) { return; }
    senders.clear();
    for (std::uint32_t other = 0; other < size; ++other) {
        if (comes[other] != 0) { senders.push_back(other); }
    }
    bool sent = true;
    try {
        begin_exchange(parcels, senders);
    } catch (const std::bad_alloc&) { sent = false; }
    finish_exchange(arrivals);
    if (!sent && !lost) { throw std::bad_alloc(); }
}

void MpiRanks::State::begin_agree(std::span<const std::uint64_t> words) noexcept {
    if (lost) { return; }
    std::transform(words.begin(), words.end(), words_out.begin(), turned);
    fine(MPI_Iallreduce(words_out.data(), words_in.data(), static_cast<int>(words.size()),
                        MPI_INT64_T, MPI_MIN, comm, &agreement));
}

void MpiRanks::State::gather(std::span<const std::uint64_t> own, std::span<std::uint64_t> all) {
    if (lost) { return; }
    const auto count = static_cast<int>(own.size());
    MPI_Request request = MPI_REQUEST_NULL;
    fine(MPI_Iallgather(own.data(), count, MPI_UINT64_T, all.data(), count, MPI_UINT64_T, comm,
                        &request));
    wait({&request, 1});
}

/// Tells a rank whose patience is over that this rank waits too.
void MpiRanks::State::answer_others() {
    int done = 0;
    MPI_Status who{};
    if (!fine(MPI_Testall(1, &asked, &done, &who)) || done == 0) { return; }
    Answer answer{call_number, {}};
    std::strncpy(answer.call.data(), call, answer.call.size() - 1);
    MPI_Request request = MPI_REQUEST_NULL;
    send(&answer, sizeof answer, static_cast<std::uint32_t>(who.MPI_SOURCE), Tag::answer, request);
    receive(&asking, 1, MPI_ANY_SOURCE, Tag::ask, asked);
    for (done = 0; !lost && done == 0;) {
        fine(MPI_Testall(1, &request, &done, MPI_STATUSES_IGNORE));
    }
}

/// Asks all ranks whether they wait, and lists those that do not answer. A rank that hears from a
/// lower one waits twice as long, so that the lowest reports.
std::string MpiRanks::State::silent_ranks() {
    Seconds grace = std::min(patience, Seconds(1.0));
    std::vector<MPI_Request> requests(size, MPI_REQUEST_NULL);
    std::vector<bool> here(size);
    std::string elsewhere;
    const char ask = 0;
    here[rank] = true;
    for (std::uint32_t other = 0; other < size; ++other) {
        if (other != rank) { send(&ask, 1, other, Tag::ask, requests[other]); }
    }
    Answer answer;
    MPI_Request coming = MPI_REQUEST_NULL;
    receive(&answer, sizeof answer, MPI_ANY_SOURCE, Tag::answer, coming);
    bool lower = false;
    const Clock::time_point start = Clock::now();
    while (!lost && Clock::now() - start < grace) {
        answer_others();
        int done = 0;
        MPI_Status who{};
        if (!fine(MPI_Testall(1, &coming, &done, &who)) || done == 0) { continue; }
        const auto source = static_cast<std::uint32_t>(who.MPI_SOURCE);
        here[source] = true;
        if (source < rank && !std::exchange(lower, true)) { grace *= 2.0; }
        if (elsewhere.empty() && answer.number != call_number) {
            elsewhere = "; rank " + std::to_string(source) + " waits in " + answer.call.data() +
                        ", in step " + std::to_string(answer.number);
        }
        receive(&answer, sizeof answer, MPI_ANY_SOURCE, Tag::answer, coming);
    }
    std::string silent;
    for (std::uint32_t other = 0; other < size; ++other) {
        if (here[other]) { continue; }
        silent += (silent.empty() ? "rank " : ", rank ") + std::to_string(other);
    }
    return (silent.empty() ? "all ranks wait" : "no call from " + silent) + elsewhere;
}

void MpiRanks::State::end_job() {
    std::string others;
    try {
        others = silent_ranks();
    } catch (const std::bad_alloc&) {} // then the report lists no ranks
    std::fprintf(stderr,
                 "throng: rank %u of %u has waited for %g s in %s, in step %llu, %s: %s. The job "
                 "ends.\n",
                 static_cast<unsigned>(rank), static_cast<unsigned>(size), patience.count(), call,
                 static_cast<unsigned long long>(call_number), step, others.c_str());
    std::fflush(stderr);
    MPI_Abort(comm, 1);
    lost = true;
}

MpiRanks::MpiRanks(MPI_Comm job, const MpiSettings& settings)
    : state_(std::make_unique<State>(job, settings.patience)) {}
MpiRanks::~MpiRanks() {
    // The state is leaked if a rank is lost: MPI may still write into it.
    if (state_->lost && state_->comm != MPI_COMM_NULL) { static_cast<void>(state_.release()); }
}

std::uint32_t MpiRanks::rank() const noexcept { return state_->rank; }
std::uint32_t MpiRanks::size() const noexcept { return state_->size; }
bool MpiRanks::allows_threads() const noexcept { return state_->threads; }
void MpiRanks::enters(const char* call) noexcept { state_->call = call; }

Status MpiRanks::begin_exchange(std::span<const Parcel> parcels,
                                std::span<const std::uint32_t> from) {
    state_->begin_call("an exchange");
    if (!state_->lost) { state_->begin_exchange(parcels, from); }
    return state_->status();
}

Status MpiRanks::finish_exchange(std::vector<Arrival>& arrivals) {
    if (!state_->lost) { state_->finish_exchange(arrivals); }
    return state_->status();
}

Status MpiRanks::route(std::span<const Parcel> parcels, std::vector<Arrival>& arrivals) {
    state_->begin_call("a route");
    state_->route(parcels, arrivals);
    return state_->status();
}

Status MpiRanks::begin_agree(std::span<const std::uint64_t> words) {
    state_->begin_call("an agreement");
    state_->begin_agree(words);
    return state_->status();
}

Status MpiRanks::finish_agree(std::span<std::uint64_t> words) {
    state_->wait({&state_->agreement, 1});
    std::transform(words.begin(), words.end(), state_->words_in.begin(), words.begin(),
                   [](std::uint64_t, std::int64_t least) { return turned_back(least); });
    return state_->status();
}

Status MpiRanks::gather(std::span<const std::uint64_t> own, std::span<std::uint64_t> all) {
    state_->begin_call("a gathering");
    state_->gather(own, all);
    return state_->status();
}

} // namespace throng
