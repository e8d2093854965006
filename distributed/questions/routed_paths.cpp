#include "routed_paths.hpp"

#include "../../engine/answers/predicate.hpp"
#include "../../engine/shapes/bounds.hpp"

#include <algorithm>
#include <utility>

namespace throng {

namespace {

constexpr std::uint32_t kNoRank = ~0u;

/// The owned agent that a path meets first, with its global id.
template <std::size_t Dim>
GlobalMeeting first_owned(const RankView<Dim>& here, const ShapesView<Dim>& path,
                          const Filter& filter) {
    PathHit hit;
    const auto is_owned = [&](Id id) { return id < here.census.owned(); }; // not a ghost
    if (first_where(here.grid, path, hit, is_owned, filter).count == 0) { return {}; }
    return {hit.time, here.census.name(hit.id)};
}

} // namespace

template <std::size_t Dim>
bool RoutedFirst<Dim>::next(AskLists& lists) {
    second_ = !second_ && this->end_ != this->begin_;
    if (!second_) {
        first_.clear();
        return RoutedShapes<Dim>::next(lists);
    }
    for (std::size_t q = this->begin_; q < this->end_; ++q) {
        ask(static_cast<std::uint32_t>(q - this->begin_), lists);
    }
    return true;
}

template <std::size_t Dim>
void RoutedFirst<Dim>::ask(std::uint32_t question, AskLists& lists) {
    if (!has(here_.sets, Sets::small)) {
        if (!second_) { first_.push_back(kNoRank); }
        return;
    }
    const ShapeGate<Dim> gate = gate_of(this->shape(question));
    const RankBounds<Dim>& bounds = here_.census.bounds();
    if (second_) {
        const GlobalMeeting& found = out_[this->begin_ + question];
        bounds.for_each(gate, [&](std::uint32_t rank) {
            const bool later = found.id != kNoGlobalId &&
                               gate.earliest(bounds.cover_of_rank(rank)) > double{found.time};
            if (rank != first_[question] && !later) { lists.add(rank, question); }
        });
        return;
    }
    std::uint32_t best = kNoRank;
    double earliest = 0.0;
    bounds.for_each(gate, [&](std::uint32_t rank) {
        const double time = gate.earliest(bounds.cover_of_rank(rank));
        if (best != kNoRank && time >= earliest) { return; }
        best = rank;
        earliest = time;
    });
    first_.push_back(best);
    if (best != kNoRank) { lists.add(best, question); }
}

template <std::size_t Dim>
Status RoutedFirst<Dim>::answer(ParcelReader from, std::size_t, ParcelWriter& to) {
    AskedShapes<Dim> asked;
    if (!asked.read(from, here_.census) || !from.empty() || !is_path(asked.shapes.kind)) {
        return kBadParcel;
    }
    if (const Status status = first_fault(asked.shapes); !status.ok()) { return status; }
    Vector<float> times(asked.shapes.count);
    Vector<GlobalId> ids(asked.shapes.count);
    const Status status = answer_each(here_, ids.size(), [&](std::size_t q) {
        const GlobalMeeting met = first_owned(here_, asked.shapes.part(q, 1), asked.filters.of(q));
        times[q] = met.time;
        ids[q] = met.id;
    });
    if (!status.ok()) { return status; }
    here_.answered += ids.size();
    to.put(times);
    to.put(ids);
    return {};
}

template <std::size_t Dim>
Status RoutedFirst<Dim>::read(std::span<const std::uint32_t> questions, Arrival&& arrival,
                              std::size_t& answered) {
    ParcelReader from(arrival.bytes);
    std::span<const float> times;
    std::span<const GlobalId> ids;
    if (!from.take(questions.size(), times) || !from.take(questions.size(), ids) || !from.empty()) {
        return {kBadParcel.cause, kBadParcel.argument, arrival.from};
    }
    for (std::size_t q = 0; q < questions.size(); ++q) {
        GlobalMeeting& best = out_[this->begin_ + questions[q]];
        const GlobalMeeting met{times[q], ids[q]};
        if (met.id != kNoGlobalId && (best.id == kNoGlobalId || met < best)) { best = met; }
    }
    answered = questions.size();
    return {};
}

template <std::size_t Dim>
Status RoutedMeetings<Dim>::answer(ParcelReader from, std::size_t room, ParcelWriter& to) {
    AskedShapes<Dim> asked;
    if (!asked.read(from, here_.census) || !from.empty() || !is_path(asked.shapes.kind)) {
        return kBadParcel;
    }
    if (const Status status = first_fault(asked.shapes); !status.ok()) { return status; }
    Vector<std::uint64_t> counts;
    Vector<float> times;
    Vector<GlobalId> ids;
    // Answers a few paths at a time, until there is enough to send.
    const std::size_t most = std::max<std::size_t>(room / sizeof(GlobalMeeting), 1);
    std::vector<std::vector<PathHit>> all(kAnswersInBlock);
    for (std::size_t q = 0; q < asked.shapes.count && ids.size() < most; q += all.size()) {
        all.resize(std::min(all.size(), asked.shapes.count - q));
        const Status status = run_blocks(
            here_.executor, all.size(),
            [&](std::size_t i) {
                // hits() refuses none of these paths: first_fault() has checked them.
                (void)here_.grid.hits(asked.shapes.part(q + i, 1), all[i], asked.filters.of(q + i));
            },
            here_.claims, LoopCost::of(all.size(), kAnswer));
        if (!status.ok()) { return status; }
        for (const std::vector<PathHit>& hits : all) {
            const std::size_t before = ids.size();
            for (const PathHit& hit : hits) {
                if (hit.id >= here_.census.owned()) { continue; }
                times.push_back(hit.time);
                ids.push_back(here_.census.name(hit.id));
            }
            counts.push_back(ids.size() - before);
        }
    }
    here_.answered += counts.size();
    to.put_one(std::uint64_t{counts.size()});
    to.put(counts);
    to.put_one(std::uint64_t{ids.size()});
    to.put(times);
    to.put(ids);
    return {};
}

template <std::size_t Dim>
Status RoutedMeetings<Dim>::read(std::span<const std::uint32_t> questions, Arrival&& arrival,
                                 std::size_t& answered) {
    const Status bad{kBadParcel.cause, kBadParcel.argument, arrival.from};
    ParcelReader from(arrival.bytes);
    std::uint64_t count = 0, all = 0;
    std::span<const std::uint64_t> counts;
    std::span<const float> times;
    std::span<const GlobalId> ids;
    if (!from.take_one(count) || count > questions.size() || !from.take(count, counts) ||
        !from.take_one(all) || !from.take(all, times) || !from.take(all, ids) || !from.empty()) {
        return bad;
    }
    for (std::size_t q = 0; q < counts.size(); ++q) {
        if (counts[q] > ids.size()) { return bad; }
        pieces_.push_back({questions[q], times.first(counts[q]), ids.first(counts[q])});
        times = times.subspan(counts[q]);
        ids = ids.subspan(counts[q]);
    }
    if (!ids.empty()) { return bad; }
    arrived_.push_back(std::move(arrival.bytes)); // keeps the address of the bytes
    answered = counts.size();
    return {};
}

template <std::size_t Dim>
void RoutedMeetings<Dim>::finish() {
    std::sort(pieces_.begin(), pieces_.end());
    std::size_t at = 0;
    for (std::size_t q = this->begin_; q < this->end_; ++q) {
        const auto before = static_cast<std::ptrdiff_t>(out_.meetings.size());
        for (; at < pieces_.size() && pieces_[at].question == q - this->begin_; ++at) {
            const Piece& piece = pieces_[at];
            for (std::size_t i = 0; i < piece.ids.size(); ++i) {
                out_.meetings.push_back({piece.times[i], piece.ids[i]});
            }
        }
        if (!large_.offsets.empty()) {
            const std::span<const GlobalMeeting> large = large_.of(q);
            out_.meetings.insert(out_.meetings.end(), large.begin(), large.end());
        }
        std::sort(out_.meetings.begin() + before, out_.meetings.end());
        out_.offsets.push_back(out_.meetings.size());
    }
    pieces_.clear();
    arrived_.clear();
}

template class RoutedFirst<2>;
template class RoutedFirst<3>;
template class RoutedMeetings<2>;
template class RoutedMeetings<3>;

} // namespace throng
