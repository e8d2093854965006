// Questions of all ranks to all ranks, in rounds that bound what is on the way. Internal to
// distributed/.
#pragma once

#include "../../engine/core/function_ref.hpp"
#include "../../engine/core/status.hpp"
#include "../ranks.hpp"
#include "parcel_bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng {

/// The questions that ranks are to be asked, by numbers that the asking rank knows.
class AskLists {
public:
    explicit AskLists(std::uint32_t ranks) : lists_(ranks) {}

    void add(std::uint32_t rank, std::uint32_t question) {
        lists_[rank].questions.push_back(question);
        ++count_;
    }
    /// How many there are in all lists.
    [[nodiscard]] std::size_t count() const noexcept { return count_; }

private:
    friend class Rounds;

    struct List {
        std::vector<std::uint32_t> questions;
        std::size_t done = 0;
        std::size_t next = 0; ///< how many of the rest are on the way
        std::size_t most = 0; ///< are sent at once, as no more were answered the last time
    };

    std::vector<List> lists_; ///< by rank
    std::size_t count_ = 0;
};

/// What questions are, and how they are answered: a call on one rank. Members that return a Status
/// may throw; all of them run on the calling thread.
class Asking {
public:
    Asking() = default;
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;
    virtual ~Asking() = default;

    /// All lists are empty, and everything that was asked has been answered. Fills them with what
    /// is to be asked next, as much as may be on the way at a time. Returns false, and leaves them
    /// empty, where that was all.
    [[nodiscard]] virtual bool next(AskLists& lists) = 0;
    /// About how many bytes a question is on its way.
    [[nodiscard]] virtual std::size_t bytes_of_question() const noexcept = 0;
    virtual void write(std::span<const std::uint32_t> questions, ParcelWriter& to) = 0;
    /// Answers questions of a rank from the first one on, as many as fit into about `room` bytes,
    /// and one at least.
    [[nodiscard]] virtual Status answer(ParcelReader from, std::size_t room, ParcelWriter& to) = 0;
    /// Takes what a rank answered to these questions. `answered` of them are done with.
    [[nodiscard]] virtual Status read(std::span<const std::uint32_t> questions, Arrival&& arrival,
                                      std::size_t& answered) = 0;
};

/// Asks, answers and agrees, until no rank has more to ask. In each round every rank sends what it
/// has to ask, the answers go back, and all agree on how it went. At most `bytes` of questions, and
/// about as many of answers, are on the way from a rank or to it: a rank sends another no more than
/// its part of them at once. Where a rank has more, there are more rounds.
///
/// Whatever goes wrong on a rank, it takes part until the next agreement, with nothing in its
/// hands, and refuses there.
class Rounds {
public:
    /// `settle` agrees on a status, and on the least of the words, with all ranks.
    using Settle = FunctionRef<Status(const Status& own, std::uint64_t& word)>;

    Rounds(Ranks& ranks, std::size_t bytes, Settle settle) noexcept
        : ranks_(ranks), part_(bytes / ranks.size()), settle_(settle) {}

    /// The status of all. `asking` says what is asked.
    Status run(Asking& asking);

private:
    void refill(Asking& asking);
    Status ask(Asking& asking);
    Status answer(Asking& asking);
    Status read(Asking& asking);
    [[nodiscard]] Status stalled() const noexcept;

    Ranks& ranks_;
    const std::size_t part_; ///< bytes from a rank to a rank
    const Settle settle_;
    AskLists lists_{0};
    bool done_ = false;
    std::vector<Arrival> asked_, answers_;
};

} // namespace throng
