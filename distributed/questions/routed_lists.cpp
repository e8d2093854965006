#include "routed_lists.hpp"

#include "../../engine/shapes/bounds.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace throng {

namespace {

/// The head of an answer with lists.
struct ListsHead {
    std::uint64_t questions = 0, runs = 0, ids = 0;
};

/// The size of the answer to one question.
struct ListSize {
    std::uint32_t runs = 0, ids = 0;
};

} // namespace

template <std::size_t Dim>
bool RoutedShapes<Dim>::next(AskLists& lists) {
    finish();
    begin_ = end_;
    if (begin_ == shapes_.count) { return false; }
    const std::size_t most =
        std::min<std::size_t>(std::max<std::size_t>(here_.bytes / bytes_of_question(), 1), ~0u);
    for (; end_ < shapes_.count && end_ - begin_ < most && lists.count() < most; ++end_) {
        ask(static_cast<std::uint32_t>(end_ - begin_), lists);
    }
    return true;
}

template <std::size_t Dim>
void RoutedShapes<Dim>::ask(std::uint32_t question, AskLists& lists) {
    if (!has(here_.sets, Sets::small)) { return; }
    here_.census.bounds().for_each(gate_of(shape(question)),
                                   [&](std::uint32_t rank) { lists.add(rank, question); });
}

template <std::size_t Dim>
void RoutedLists<Dim>::ask(std::uint32_t question, AskLists& lists) {
    const std::size_t before = lists.count();
    RoutedShapes<Dim>::ask(question, lists);
    shared_.push_back(lists.count() > before + 1 ? 1 : 0);
}

template <std::size_t Dim>
void RoutedLists<Dim>::write(std::span<const std::uint32_t> questions, ParcelWriter& to) {
    RoutedShapes<Dim>::write(questions, to);
    Vector<std::uint8_t> shared;
    for (const std::uint32_t question : questions) {
        shared.push_back(shared_[question]);
    }
    to.put(shared);
}

template <std::size_t Dim>
Status RoutedLists<Dim>::answer(ParcelReader from, std::size_t room, ParcelWriter& to) {
    AskedShapes<Dim> asked;
    std::span<const std::uint8_t> shared;
    if (!asked.read(from, here_.census) || !from.take(asked.shapes.count, shared) ||
        !from.empty()) {
        return kBadParcel;
    }
    // A question whose answers do not fit is asked again; the first one is answered whatever its
    // size.
    const std::size_t most = std::max<std::size_t>(room / sizeof(GlobalId), 1);
    constexpr std::size_t kFirst = 4096, kSlack = 16;
    offsets_.resize(asked.shapes.count + 1);
    ids_.resize(std::max(ids_.size(), kFirst));
    Found found = here_.batch.query(here_.grid, asked.shapes, HitsOutput{offsets_, ids_},
                                    asked.filters.view());
    const std::size_t wanted =
        std::max(std::min(found.count, most), static_cast<std::size_t>(offsets_[1]));
    if (found.status.ok() && wanted > ids_.size()) {
        ids_.resize(wanted + kSlack);
        found = here_.batch.query(here_.grid, asked.shapes, HitsOutput{offsets_, ids_},
                                  asked.filters.view());
    }
    if (!found.status.ok()) { return found.status; }
    Vector<ListSize> sizes;
    Vector<Run> runs;
    Vector<GlobalId> ids;
    for (std::size_t q = 0; q < asked.shapes.count && offsets_[q + 1] <= ids_.size(); ++q) {
        if (q != 0 && offsets_[q + 1] > most) { break; }
        const std::size_t runs_before = runs.size(), ids_before = ids.size();
        for (std::size_t i = offsets_[q]; i < offsets_[q + 1]; ++i) {
            const Id id = ids_[i];
            if (id >= here_.census.owned()) { continue; }
            ids.push_back(here_.census.name(id));
            if (shared[q] == 0) { continue; }
            const std::uint32_t row = here_.census.row(id);
            if (runs.size() == runs_before || runs.back().row != row) { runs.push_back({row, 0}); }
            ++runs.back().count;
        }
        sizes.push_back({static_cast<std::uint32_t>(runs.size() - runs_before),
                         static_cast<std::uint32_t>(ids.size() - ids_before)});
    }
    here_.answered += sizes.size();
    to.put_one(ListsHead{sizes.size(), runs.size(), ids.size()});
    to.put(sizes);
    to.put(runs);
    to.put(ids);
    return {};
}

template <std::size_t Dim>
Status RoutedLists<Dim>::read(std::span<const std::uint32_t> questions, Arrival&& arrival,
                              std::size_t& answered) {
    const Status bad{kBadParcel.cause, kBadParcel.argument, arrival.from};
    ParcelReader from(arrival.bytes);
    ListsHead head;
    std::span<const ListSize> sizes;
    std::span<const Run> runs;
    std::span<const GlobalId> ids;
    if (!from.take_one(head) || head.questions > questions.size() ||
        !from.take(head.questions, sizes) || !from.take(head.runs, runs) ||
        !from.take(head.ids, ids) || !from.empty()) {
        return bad;
    }
    const std::uint32_t brick = here_.cuts.brick_of(arrival.from).first[0];
    for (std::size_t q = 0; q < sizes.size(); ++q) {
        const ListSize& size = sizes[q];
        if (size.ids > ids.size() || size.runs > runs.size()) { return bad; }
        pieces_.push_back({questions[q], brick, ids.first(size.ids), runs.first(size.runs)});
        ids = ids.subspan(size.ids);
        runs = runs.subspan(size.runs);
        std::uint64_t in_runs = 0;
        for (const Run& run : pieces_.back().runs) {
            in_runs += run.count;
        }
        const bool is_shared = shared_[questions[q]] != 0;
        if (in_runs != (is_shared ? size.ids : 0)) { return bad; }
    }
    if (!ids.empty() || !runs.empty()) { return bad; }
    arrived_.push_back(std::move(arrival.bytes)); // keeps the address of the bytes
    answered = sizes.size();
    return {};
}

/// Merges the answers of all ranks to one question.
template <std::size_t Dim>
void RoutedLists<Dim>::add(std::span<const Piece> pieces) {
    if (pieces.size() == 1) {
        out_.ids.insert(out_.ids.end(), pieces[0].ids.begin(), pieces[0].ids.end());
        return;
    }
    struct Part {
        std::uint32_t row, brick;
        std::span<const GlobalId> ids;
        bool operator<(const Part& other) const noexcept {
            return row < other.row || (row == other.row && brick < other.brick);
        }
    };
    Vector<Part> parts;
    for (const Piece& piece : pieces) {
        std::span<const GlobalId> ids = piece.ids;
        for (const Run& run : piece.runs) {
            parts.push_back({run.row, piece.brick, ids.first(run.count)});
            ids = ids.subspan(run.count);
        }
    }
    std::sort(parts.begin(), parts.end());
    for (const Part& part : parts) {
        out_.ids.insert(out_.ids.end(), part.ids.begin(), part.ids.end());
    }
}

template <std::size_t Dim>
void RoutedLists<Dim>::finish() {
    std::sort(pieces_.begin(), pieces_.end());
    const std::span<const Piece> all = pieces_;
    std::size_t at = 0;
    for (std::size_t q = this->begin_; q < this->end_; ++q) {
        std::size_t past = at;
        while (past < all.size() && all[past].question == q - this->begin_) {
            ++past;
        }
        if (past != at) { add(all.subspan(at, past - at)); }
        at = past;
        if (!large_.offsets.empty()) {
            const std::span<const GlobalId> large = large_.of(q);
            out_.ids.insert(out_.ids.end(), large.begin(), large.end());
        }
        out_.offsets.push_back(out_.ids.size());
    }
    pieces_.clear();
    arrived_.clear();
    shared_.clear();
}

template <std::size_t Dim>
void RoutedCounts<Dim>::ask(std::uint32_t question, AskLists& lists) {
    const bool known = any_ && counts_[this->begin_ + question] != 0;
    if (!known) { RoutedShapes<Dim>::ask(question, lists); }
}

template <std::size_t Dim>
void RoutedCounts<Dim>::write(std::span<const std::uint32_t> questions, ParcelWriter& to) {
    RoutedShapes<Dim>::write(questions, to);
    to.put_one(std::uint32_t{any_});
}

template <std::size_t Dim>
Status RoutedCounts<Dim>::answer(ParcelReader from, std::size_t, ParcelWriter& to) {
    AskedShapes<Dim> asked;
    std::uint32_t any = 0;
    if (!asked.read(from, here_.census) || !from.take_one(any) || !from.empty()) {
        return kBadParcel;
    }
    if (const Status status = first_fault(asked.shapes); !status.ok()) { return status; }
    Vector<std::uint32_t> counts(asked.shapes.count);
    const Status status = answer_each(here_, counts.size(), [&](std::size_t q) {
        const ShapesView<Dim> shape = asked.shapes.part(q, 1);
        const Filter filter = asked.filters.of(q);
        std::uint32_t& count = counts[q];
        // count() and any() find ghosts too, so they are right only where all agents are owned.
        if (here_.owns_around(gate_of(shape).bounds())) {
            const Found found =
                any != 0 ? here_.grid.any(shape, filter) : here_.grid.count(shape, filter);
            count = static_cast<std::uint32_t>(found.count);
            return;
        }
        (void)here_.grid.visit(
            shape,
            [&](std::span<const Id> ids) {
                const auto owned = std::count_if(ids.begin(), ids.end(),
                                                 [&](Id id) { return id < here_.census.owned(); });
                count += static_cast<std::uint32_t>(owned);
                return any == 0 || count == 0;
            },
            filter);
        if (any != 0) { count = std::min(count, 1u); }
    });
    if (!status.ok()) { return status; }
    here_.answered += counts.size();
    to.put(counts);
    return {};
}

template <std::size_t Dim>
Status RoutedCounts<Dim>::read(std::span<const std::uint32_t> questions, Arrival&& arrival,
                               std::size_t& answered) {
    ParcelReader from(arrival.bytes);
    std::span<const std::uint32_t> counts;
    if (!from.take(questions.size(), counts) || !from.empty()) {
        return {kBadParcel.cause, kBadParcel.argument, arrival.from};
    }
    for (std::size_t q = 0; q < counts.size(); ++q) {
        std::uint64_t& count = counts_[this->begin_ + questions[q]];
        count = any_ ? std::max<std::uint64_t>(count, counts[q]) : count + counts[q];
    }
    answered = counts.size();
    return {};
}

template class RoutedShapes<2>;
template class RoutedShapes<3>;
template class RoutedLists<2>;
template class RoutedLists<3>;
template class RoutedCounts<2>;
template class RoutedCounts<3>;

} // namespace throng
