#include "rounds.hpp"

#include "../agreement.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace throng {

namespace {

/// Parcels for several ranks, written in place.
class Parcels {
public:
    explicit Parcels(std::size_t most) : writers_(most) { parcels_.reserve(most); }

    /// Adds the next parcel. There must be room for one more.
    ParcelWriter& add(std::uint32_t to) {
        to_.push_back(to);
        return writers_[to_.size() - 1];
    }
    std::span<const Parcel> all() {
        for (std::size_t i = parcels_.size(); i < to_.size(); ++i) {
            parcels_.push_back({to_[i], writers_[i].bytes()});
        }
        return parcels_;
    }

private:
    std::vector<ParcelWriter> writers_;
    std::vector<std::uint32_t> to_;
    std::vector<Parcel> parcels_;
};

/// Makes parcels and sends them. Sends none if memory runs out.
template <class Make>
Status send(Ranks& ranks, std::vector<Arrival>& arrivals, const Make& make) {
    std::optional<Parcels> parcels;
    std::span<const Parcel> all;
    const Status made = without_throwing([&] {
        const Status status = make(parcels);
        if (status.ok() && parcels) { all = parcels->all(); }
        return status;
    });
    arrivals.clear();
    const Status sent = without_throwing([&] { return ranks.route(all, arrivals); });
    if (!sent.ok()) { arrivals.clear(); }
    return sent.cause == Cause::rank_lost || made.ok() ? sent : made;
}

} // namespace

void Rounds::refill(RoutedQuestions& asking) {
    while (lists_.count_ == 0 && !done_) {
        for (AskLists::List& list : lists_.lists_) {
            list.questions.clear();
            list.done = 0;
            list.most = ~std::size_t{0};
        }
        done_ = !asking.next(lists_);
    }
}

Status Rounds::ask(RoutedQuestions& asking) {
    return send(ranks_, asked_, [&](std::optional<Parcels>& parcels) {
        const std::size_t fit = std::max<std::size_t>(part_ / asking.bytes_of_question(), 1);
        std::size_t count = 0;
        for (AskLists::List& list : lists_.lists_) {
            const std::size_t left = list.questions.size() - list.done;
            list.next = std::min({left, fit, list.most});
            count += list.next != 0 ? 1 : 0;
        }
        parcels.emplace(count);
        for (std::uint32_t rank = 0; rank < lists_.lists_.size(); ++rank) {
            const AskLists::List& list = lists_.lists_[rank];
            if (list.next == 0) { continue; }
            asking.write(std::span(list.questions).subspan(list.done, list.next),
                         parcels->add(rank));
        }
        return Status{};
    });
}

Status Rounds::answer(RoutedQuestions& asking) {
    return send(ranks_, answers_, [&](std::optional<Parcels>& parcels) {
        parcels.emplace(asked_.size());
        for (const Arrival& arrival : asked_) {
            const Status status =
                asking.answer(ParcelReader(arrival.bytes), part_, parcels->add(arrival.from));
            if (status == Status{Cause::count_mismatch, Argument::arrays}) {
                return Status{status.cause, status.argument, arrival.from};
            }
            if (!status.ok()) { return status; }
        }
        return Status{};
    });
}

Status Rounds::read(RoutedQuestions& asking) {
    for (Arrival& arrival : answers_) {
        AskLists::List& list = lists_.lists_[arrival.from];
        const std::span<const std::uint32_t> sent =
            std::span(list.questions).subspan(list.done, list.next);
        std::size_t answered = 0;
        const std::uint32_t from = arrival.from;
        const Status status = asking.read(sent, std::move(arrival), answered);
        if (!status.ok() || answered == 0 || answered > sent.size()) {
            return status.ok() ? Status{Cause::count_mismatch, Argument::arrays, from} : status;
        }
        list.most = answered == sent.size() ? ~std::size_t{0} : 2 * answered;
        list.done += answered;
        list.next = 0;
        lists_.count_ -= answered;
    }
    refill(asking);
    return {};
}

/// Refuses if a rank agreed to a round but did not answer the questions that this rank sent it.
Status Rounds::stalled() const noexcept {
    for (std::size_t rank = 0; rank < lists_.lists_.size(); ++rank) {
        if (lists_.lists_[rank].next != 0) {
            return {Cause::count_mismatch, Argument::arrays, rank};
        }
    }
    return {};
}

Status Rounds::run(RoutedQuestions& asking) {
    Status own = without_throwing([&] {
        lists_ = AskLists(ranks_.size());
        refill(asking);
        return Status{};
    });
    const auto take = [&](const Status& status) {
        if (own.ok() || status.cause == Cause::rank_lost) { own = status; }
    };
    for (;;) {
        const bool able = own.ok();
        if (!able) { lists_ = AskLists(0); }
        take(ask(asking));
        if (own.cause == Cause::rank_lost) { return own; }
        if (!own.ok()) { asked_.clear(); }
        take(answer(asking));
        if (own.cause == Cause::rank_lost) { return own; }
        if (own.ok()) {
            own = without_throwing([&] { return read(asking); });
        }
        std::uint64_t word = done_ ? 1 : 0;
        const Status agreed = settle_(own, word);
        if (!agreed.ok() || word == 1) { return agreed; }
        own = stalled();
    }
}

} // namespace throng
