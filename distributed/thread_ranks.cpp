#include "thread_ranks.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

namespace throng {

namespace {

/// SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t next_number(std::uint64_t& state) noexcept {
    std::uint64_t z = state += 0x9E37'79B9'7F4A'7C15u;
    z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9u;
    z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EBu;
    return z ^ (z >> 31);
}

} // namespace

/// The data of all ranks of a job. Only the rank whose turn it is uses the data, except while the
/// turn is handed on.
class ThreadRanks::Job {
public:
    Job(std::uint32_t ranks, std::uint64_t seed, const RankFaults& faults)
        : faults_(faults), seed_(seed), members_(ranks), traffic(ranks) {}

    void run(FunctionRef<void(Ranks&)> body);

    /// The job as one of its ranks sees it.
    class Seat;

private:
    struct Message {
        std::uint64_t exchange; ///< number of the exchange, counted by sender and receiver alike
        std::uint32_t from;
        std::vector<std::byte> bytes;
        bool delayed;
    };

    /// A rank as the others see it.
    struct Member {
        std::condition_variable turn;
        std::vector<Message> inbox;
        const FunctionRef<bool()>* waits_for = nullptr; ///< null: only for its turn
        bool gone = false;
    };

    /// A call that all ranks make together. It is complete when all have come.
    struct Meeting {
        std::uint32_t come = 0, left = 0;
        std::vector<std::uint64_t> words;
        std::vector<std::vector<Arrival>> routed; ///< by receiver
    };

    void live(std::uint32_t rank, FunctionRef<void(Ranks&)> body) noexcept;
    void hand_on() noexcept;
    [[nodiscard]] bool wakes_delayed() noexcept;
    std::uint32_t draw(std::size_t end) noexcept {
        return static_cast<std::uint32_t>(next_number(random_) % end);
    }
    void send(std::uint32_t from, const Parcel& parcel, std::uint64_t exchange);
    [[nodiscard]] Meeting& meeting(std::uint64_t number);
    void leave(std::uint64_t number) noexcept;

    const RankFaults faults_;
    const std::uint64_t seed_;
    std::uint64_t random_ = 0;
    std::mutex mutex_;
    std::vector<Member> members_;
    std::uint32_t turn_ = 0;
    bool lost_ = false;
    std::uint64_t messages_ = 0;
    std::vector<std::uint32_t> ready_;                        // ranks that can go on
    std::vector<std::pair<std::uint64_t, Meeting>> meetings_; // that some ranks have not left
    std::exception_ptr error_;

public:
    std::vector<RankTraffic> traffic;
};

class ThreadRanks::Job::Seat final : public Ranks {
public:
    Seat(Job& job, std::uint32_t rank) noexcept
        : job_(job), rank_(rank), count_(job.traffic[rank]) {}

    [[nodiscard]] std::uint32_t rank() const noexcept override { return rank_; }
    [[nodiscard]] std::uint32_t size() const noexcept override {
        return static_cast<std::uint32_t>(job_.members_.size());
    }

    Status begin_exchange(std::span<const Parcel> parcels,
                          std::span<const std::uint32_t> from) override {
        if (const Status status = begin_call(); !status.ok()) { return status; }
        ++exchange_;
        from_ = from;
        for (const Parcel& parcel : parcels) {
            job_.send(rank_, parcel, exchange_);
        }
        return {};
    }

    Status finish_exchange(std::vector<Arrival>& arrivals) override {
        if (const Status status = begin_call(); !status.ok()) { return status; }
        std::vector<Message>& inbox = job_.members_[rank_].inbox;
        const auto is_here = [&](std::uint32_t from) {
            return std::any_of(inbox.begin(), inbox.end(), [&](const Message& message) {
                return message.from == from && message.exchange == exchange_ && !message.delayed;
            });
        };
        const Status status =
            wait([&] { return std::all_of(from_.begin(), from_.end(), is_here); });
        if (!status.ok()) { return status; }
        arrivals.clear();
        for (Message& message : inbox) {
            if (message.exchange != exchange_) { continue; }
            arrivals.push_back({message.from, std::move(message.bytes)});
        }
        std::erase_if(inbox, [&](const Message& message) { return message.exchange == exchange_; });
        return take(arrivals);
    }

    Status route(std::span<const Parcel> parcels, std::vector<Arrival>& arrivals) override {
        if (const Status status = begin_call(); !status.ok()) { return status; }
        ++count_.routes;
        const std::uint64_t number = ++meetings_;
        Meeting& meeting = job_.meeting(number);
        meeting.routed.resize(job_.members_.size());
        for (const Parcel& parcel : parcels) {
            std::vector<std::byte> bytes(parcel.bytes.begin(), parcel.bytes.end());
            if (parcel.to != rank_) { count(bytes.size()); }
            meeting.routed[parcel.to].push_back({rank_, std::move(bytes)});
        }
        ++meeting.come;
        if (const Status status = wait_for_all(number); !status.ok()) { return status; }
        arrivals = std::move(job_.meeting(number).routed[rank_]);
        job_.leave(number);
        return take(arrivals);
    }

    Status begin_agree(std::span<const std::uint64_t> words) override {
        if (const Status status = begin_call(); !status.ok()) { return status; }
        ++count_.agreements;
        agreement_ = ++meetings_;
        Meeting& meeting = job_.meeting(agreement_);
        meeting.words.resize(words.size(), ~std::uint64_t{0});
        for (std::size_t i = 0; i < words.size(); ++i) {
            meeting.words[i] = std::min(meeting.words[i], words[i]);
        }
        ++meeting.come;
        return {};
    }

    Status finish_agree(std::span<std::uint64_t> words) override {
        if (const Status status = begin_call(); !status.ok()) { return status; }
        if (const Status status = wait_for_all(agreement_); !status.ok()) { return status; }
        std::copy_n(job_.meeting(agreement_).words.begin(), words.size(), words.begin());
        job_.leave(agreement_);
        return {};
    }

    Status gather(std::span<const std::uint64_t> own, std::span<std::uint64_t> all) override {
        if (const Status status = begin_call(); !status.ok()) { return status; }
        ++count_.gatherings;
        const std::uint64_t number = ++meetings_;
        Meeting& meeting = job_.meeting(number);
        meeting.words.resize(all.size());
        std::copy(own.begin(), own.end(),
                  meeting.words.begin() + static_cast<std::ptrdiff_t>(rank_ * own.size()));
        ++meeting.come;
        if (const Status status = wait_for_all(number); !status.ok()) { return status; }
        std::copy_n(job_.meeting(number).words.begin(), all.size(), all.begin());
        job_.leave(number);
        return {};
    }

private:
    /// Begins a call: another rank may go on first, and this one may end.
    Status begin_call() {
        const std::uint64_t number = count_.calls++;
        const auto& ends = job_.faults_.ends;
        if (ends && ends->rank == rank_ && ends->number == number) { throw RankEnds(); }
        return wait([] { return true; });
    }

    Status wait(FunctionRef<bool()> ready) {
        std::unique_lock lock(job_.mutex_);
        Member& self = job_.members_[rank_];
        self.waits_for = &ready;
        job_.hand_on();
        self.turn.wait(lock, [&] { return job_.turn_ == rank_; });
        self.waits_for = nullptr;
        return job_.lost_ ? Status{Cause::rank_lost} : Status{};
    }

    Status wait_for_all(std::uint64_t number) {
        return wait([&] { return job_.meeting(number).come == job_.members_.size(); });
    }

    void count(std::size_t bytes) noexcept {
        ++count_.messages;
        count_.bytes += bytes;
    }

    /// Hands over the arrivals, in the seed's order, if there is room for them.
    Status take(std::vector<Arrival>& arrivals) {
        for (std::size_t i = arrivals.size(); i > 1; --i) {
            std::swap(arrivals[i - 1], arrivals[job_.draw(i)]);
        }
        const auto& none = job_.faults_.no_memory;
        if (none && !refused_ && none->rank == rank_ && count_.calls > none->number) {
            refused_ = true;
            arrivals.clear();
            throw std::bad_alloc();
        }
        return {};
    }

    friend class Job;

    Job& job_;
    const std::uint32_t rank_;
    RankTraffic& count_;
    std::span<const std::uint32_t> from_;
    std::uint64_t exchange_ = 0;
    std::uint64_t meetings_ = 0;
    std::uint64_t agreement_ = 0;
    bool refused_ = false;
};

void ThreadRanks::Job::run(FunctionRef<void(Ranks&)> body) {
    random_ = seed_;
    lost_ = false;
    messages_ = 0;
    meetings_.clear();
    error_ = nullptr;
    traffic.assign(members_.size(), {});
    ready_.reserve(members_.size());
    for (Member& member : members_) {
        member.inbox.clear();
        member.gone = false;
    }
    turn_ = ~0u; // until all threads exist
    std::vector<std::thread> threads;
    threads.reserve(members_.size());
    std::exception_ptr error;
    try {
        for (std::uint32_t rank = 0; rank < members_.size(); ++rank) {
            threads.emplace_back([this, rank, body] { live(rank, body); });
        }
    } catch (...) { error = std::current_exception(); }
    {
        const std::lock_guard lock(mutex_);
        for (std::size_t rank = threads.size(); rank < members_.size(); ++rank) {
            members_[rank].gone = lost_ = true; // it has no thread
        }
        hand_on();
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    if (error || error_) { std::rethrow_exception(error ? error : error_); }
}

/// Runs a rank on its thread.
void ThreadRanks::Job::live(std::uint32_t rank, FunctionRef<void(Ranks&)> body) noexcept {
    {
        std::unique_lock lock(mutex_);
        members_[rank].turn.wait(lock, [&] { return turn_ == rank; });
    }
    bool ended = true;
    std::exception_ptr error;
    try {
        Seat seat(*this, rank);
        body(seat);
        ended = false;
    } catch (const RankEnds&) {
    } catch (...) { error = std::current_exception(); }
    const std::lock_guard lock(mutex_);
    members_[rank].gone = true;
    lost_ = lost_ || ended;
    if (error) { error_ = error; }
    hand_on();
}

/// Chooses the next rank: any rank whose wait is over. If there is none, delayed messages arrive;
/// if there are no delayed messages, something is lost.
void ThreadRanks::Job::hand_on() noexcept {
    std::vector<std::uint32_t>& ready = ready_; // has room for all
    for (;;) {
        ready.clear();
        bool all_gone = true;
        for (std::uint32_t rank = 0; rank < members_.size(); ++rank) {
            const Member& member = members_[rank];
            all_gone = all_gone && member.gone;
            if (!member.gone && (lost_ || member.waits_for == nullptr || (*member.waits_for)())) {
                ready.push_back(rank);
            }
        }
        if (all_gone) { return; }
        if (!ready.empty()) { break; }
        if (!wakes_delayed()) { lost_ = true; }
    }
    turn_ = ready[draw(ready.size())];
    members_[turn_].turn.notify_one();
}

bool ThreadRanks::Job::wakes_delayed() noexcept {
    bool any = false;
    for (Member& member : members_) {
        for (Message& message : member.inbox) {
            any = any || message.delayed;
            message.delayed = false;
        }
    }
    return any;
}

void ThreadRanks::Job::send(std::uint32_t from, const Parcel& parcel, std::uint64_t exchange) {
    std::vector<std::byte> bytes(parcel.bytes.begin(), parcel.bytes.end());
    if (parcel.to != from) {
        ++traffic[from].messages;
        traffic[from].bytes += bytes.size();
    }
    const std::uint64_t number = messages_++;
    if (faults_.dropped == number) { return; }
    members_[parcel.to].inbox.push_back(
        {exchange, from, std::move(bytes), faults_.delayed == number});
}

ThreadRanks::Job::Meeting& ThreadRanks::Job::meeting(std::uint64_t number) {
    const auto at = std::find_if(meetings_.begin(), meetings_.end(),
                                 [&](const auto& entry) { return entry.first == number; });
    return at != meetings_.end() ? at->second : meetings_.emplace_back(number, Meeting{}).second;
}

void ThreadRanks::Job::leave(std::uint64_t number) noexcept {
    Meeting& left = meeting(number);
    if (++left.left < members_.size()) { return; }
    std::erase_if(meetings_, [&](const auto& entry) { return entry.first == number; });
}

ThreadRanks::ThreadRanks(std::uint32_t ranks, std::uint64_t seed, const RankFaults& faults)
    : job_(std::make_unique<Job>(ranks, seed, faults)) {}
ThreadRanks::~ThreadRanks() = default;
ThreadRanks::ThreadRanks(ThreadRanks&&) noexcept = default;
ThreadRanks& ThreadRanks::operator=(ThreadRanks&&) noexcept = default;

void ThreadRanks::run(FunctionRef<void(Ranks&)> body) { job_->run(body); }

const std::vector<RankTraffic>& ThreadRanks::traffic() const noexcept { return job_->traffic; }

} // namespace throng
