// Questions of all ranks to all ranks, in rounds that bound the bytes on the way. Internal to
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

/// The questions to ask each rank, by the numbers that the asking rank gives them.
class AskLists {
public:
    explicit AskLists(std::uint32_t ranks) : lists_(ranks) {}

    void add(std::uint32_t rank, std::uint32_t question) {
        lists_[rank].questions.push_back(question);
        ++count_;
    }
    /// The number of questions in all lists.
    [[nodiscard]] std::size_t count() const noexcept { return count_; }

private:
    friend class Rounds;

    struct List {
        std::vector<std::uint32_t> questions;
        std::size_t done = 0;
        std::size_t next = 0; ///< questions on the way, after `done`
        std::size_t most = 0; ///< limit for `next`: twice the number answered last time
    };

    std::vector<List> lists_; ///< by rank
    std::size_t count_ = 0;
};

/// The questions of a call on one rank, and how to answer them. Members that return a Status may
/// throw; all members run on the calling thread.
class RoutedQuestions {
public:
    RoutedQuestions() = default;
    RoutedQuestions(const RoutedQuestions&) = delete;
    RoutedQuestions& operator=(const RoutedQuestions&) = delete;
    virtual ~RoutedQuestions() = default;

    /// Called when all lists are empty and all questions have been answered. Fills the lists with
    /// the next questions, as many as may be on the way at a time. Returns false, and leaves the
    /// lists empty, if there are no more.
    [[nodiscard]] virtual bool next(AskLists& lists) = 0;
    /// About how many bytes a question takes on its way.
    [[nodiscard]] virtual std::size_t bytes_of_question() const noexcept = 0;
    virtual void write(std::span<const std::uint32_t> questions, ParcelWriter& to) = 0;
    /// Answers a rank's questions, from the first one on, as many as fit into about `room` bytes,
    /// but at least one.
    [[nodiscard]] virtual Status answer(ParcelReader from, std::size_t room, ParcelWriter& to) = 0;
    /// Takes a rank's answers to these questions. Sets `answered` to the number of questions that
    /// are finished.
    [[nodiscard]] virtual Status read(std::span<const std::uint32_t> questions, Arrival&& arrival,
                                      std::size_t& answered) = 0;
};

/// Asks, answers and agrees, until no rank has more to ask. In each round every rank sends
/// questions, the answers go back, and all ranks agree on a status. At most `bytes` of questions,
/// and about as many of answers, are on the way from a rank or to it: a rank sends to each other
/// rank at most an equal part of them at once. More questions take more rounds.
///
/// A rank on which something goes wrong takes part with empty parcels until the next agreement, and
/// refuses there.
class Rounds {
public:
    /// `settle` agrees with all ranks on a status and on the minimum of the words.
    using Settle = FunctionRef<Status(const Status& own, std::uint64_t& word)>;

    Rounds(Ranks& ranks, std::size_t bytes, Settle settle) noexcept
        : ranks_(ranks), part_(bytes / ranks.size()), settle_(settle) {}

    /// Returns the status of all ranks. `asking` has the questions.
    Status run(RoutedQuestions& asking);

private:
    void refill(RoutedQuestions& asking);
    Status ask(RoutedQuestions& asking);
    Status answer(RoutedQuestions& asking);
    Status read(RoutedQuestions& asking);
    [[nodiscard]] Status stalled() const noexcept;

    Ranks& ranks_;
    const std::size_t part_; ///< the most bytes from one rank to another in a round
    const Settle settle_;
    AskLists lists_{0};
    bool done_ = false;
    std::vector<Arrival> asked_, answers_;
};

} // namespace throng
