#include "transcript.hpp"

#include "../support/numbers.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace throng::test {

namespace {

template <std::size_t Dim>
class Player {
public:
    Player(Subject<Dim>& subject, Transcript& transcript)
        : subject_(subject), asked_(subject.asked()), words_(transcript.words),
          complaint_(transcript.complaint) {}

    void play(const Operation<Dim>& operation) {
        const auto with_shape = [&](const auto& ask) { std::visit(ask, operation.shapes[0]); };
        const Filter& filter = operation.filter;
        switch (operation.what) {
        case What::update:
            say(subject_.update(agents_of(operation)));
            return say_state();
        case What::edit_one:
            say(subject_.edit(operation.edits[0]));
            say(std::uint32_t{subject_.contains(operation.edits[0].id)});
            return say_state();
        case What::edit_many:
            say(subject_.edit(std::span<const Edit<Dim>>(operation.edits)));
            return say_state();
        case What::tidy:
            subject_.tidy();
            return say_state();
        case What::clear:
            subject_.clear();
            return say_state();
        case What::visit:
            return with_shape([&](const auto& shape) { visit(shape, filter); });
        case What::query:
            return with_shape([&](const auto& shape) { query(shape, filter); });
        case What::query_some:
            return with_shape([&](const auto& shape) { query_some(shape, filter, operation.k); });
        case What::count:
            return with_shape([&](const auto& shape) { say(asked_.count(shape, filter)); });
        case What::any:
            return with_shape([&](const auto& shape) { say(asked_.any(shape, filter)); });
        case What::batch:
            if (operation.shapes.empty()) { return; }
            return with_shape([&](const auto& first) { batch(first, operation); });
        case What::nearest:
            return nearest(operation);
        case What::path_hits:
            return hits(operation);
        case What::pairs:
            return pairs(filter.groups);
        case What::validate:
            const char* const complaint = subject_.validate();
            if (complaint_ == nullptr) { complaint_ = complaint; }
            return say(std::uint32_t{complaint == nullptr});
        }
    }

    void say(const Status& status) {
        words_.push_back(static_cast<std::uint32_t>(status.cause) |
                         static_cast<std::uint32_t>(status.argument) << 8);
        words_.push_back(static_cast<std::uint32_t>(status.index));
    }

private:
    void say(std::uint32_t word) { words_.push_back(word); }
    void say(const Found& found) {
        say(found.status);
        say(static_cast<std::uint32_t>(found.count));
    }
    void say(float value) { say(std::bit_cast<std::uint32_t>(value)); }
    /// Appends the ids in ascending order.
    void say_sorted(std::span<const Id> ids) {
        const auto first = static_cast<std::ptrdiff_t>(words_.size());
        words_.insert(words_.end(), ids.begin(), ids.end());
        std::sort(words_.begin() + first, words_.end());
    }

    void say_state() {
        say(static_cast<std::uint32_t>(subject_.size()));
        const CrowdKind<Dim> kind = subject_.kind();
        say(std::uint32_t{kind.own_half_extents} + 2 * std::uint32_t{kind.groups});
        say(kind.common_half_extent[0] + 0.0f); // makes both zeros equal
    }

    template <class Shape>
    Found gather(const Shape& shape, const Filter& filter) {
        ids_.clear();
        return asked_.visit(
            shape,
            [&](std::span<const Id> run) {
                ids_.insert(ids_.end(), run.begin(), run.end());
                return !run.empty();
            },
            filter);
    }

    template <class Shape>
    void visit(const Shape& shape, const Filter& filter) {
        say(gather(shape, filter));
        say_sorted(ids_);
    }

    template <class Shape>
    void query(const Shape& shape, const Filter& filter) {
        ids_.resize(subject_.size());
        const Found found = asked_.query(shape, std::span<Id>(ids_), filter);
        say(found);
        say_sorted(std::span<const Id>(ids_).first(std::min(found.count, ids_.size())));
    }

    /// Checks that the first hits fill an array of this length, and nothing is written behind it.
    template <class Shape>
    void query_some(const Shape& shape, const Filter& filter, std::size_t room) {
        (void)gather(shape, filter);
        some_.assign(room + 16, kCanary);
        const Found found = asked_.query(shape, std::span<Id>(some_).first(room), filter);
        say(found);
        const std::size_t written = std::min(room, ids_.size());
        ids_.resize(written);
        ids_.resize(room + 16, kCanary);
        say(std::uint32_t{std::equal(some_.begin() + static_cast<std::ptrdiff_t>(room), some_.end(),
                                     ids_.begin() + static_cast<std::ptrdiff_t>(room)) &&
                          std::equal(some_.begin(),
                                     some_.begin() + static_cast<std::ptrdiff_t>(written),
                                     ids_.begin())});
    }

    template <class Shape>
    void batch(const Shape&, const Operation<Dim>& operation) {
        std::vector<Shape> shapes;
        for (const AnyShape<Dim>& shape : operation.shapes) {
            shapes.push_back(std::get<Shape>(shape));
        }
        const Status status = asked_.query(shapes, hits_, operation.filter);
        say(status);
        for (std::size_t q = 0; status.ok() && q < shapes.size(); ++q) {
            say(static_cast<std::uint32_t>(hits_.of(q).size()));
            say_sorted(hits_.of(q));
        }
    }

    void nearest(const Operation<Dim>& operation) {
        const auto& ball = std::get<Ball<Dim>>(operation.shapes[0]);
        near_.assign(operation.k, {-1.0f, 7});
        Found found;
        if (!subject_.nearest(ball.centre, {operation.k, ball.radius}, near_, operation.filter,
                              found)) {
            return say(Transcript::kCannot);
        }
        say(found);
        for (const Near& near : near_) {
            say(near.distance2);
            say(near.id);
        }
    }

    void hits(const Operation<Dim>& operation) {
        Status status;
        Found found;
        PathHit first{-1.0f, 7};
        met_.clear();
        if (!subject_.hits(operation.shapes[0], operation.filter, status, met_, found, first)) {
            return say(Transcript::kCannot);
        }
        say(status);
        say(found);
        met_.push_back(first);
        for (const PathHit& hit : met_) {
            say(hit.time);
            say(hit.id);
        }
    }

    void pairs(std::uint32_t groups) {
        pairs_.clear();
        const Found found = subject_.visit_pairs(
            [&](std::span<const Id> first, std::span<const Id> second) {
                for (std::size_t i = 0; i < first.size(); ++i) {
                    const auto [low, high] = std::minmax(first[i], second[i]);
                    pairs_.push_back(std::uint64_t{low} << 32 | high);
                }
                return first.size() == second.size() && !first.empty();
            },
            groups);
        say(found);
        std::sort(pairs_.begin(), pairs_.end());
        for (const std::uint64_t pair : pairs_) {
            say(static_cast<std::uint32_t>(pair >> 32));
            say(static_cast<std::uint32_t>(pair));
        }
    }

    Subject<Dim>& subject_;
    Asked<Dim> asked_;
    std::vector<std::uint32_t>& words_;
    const char*& complaint_;

    std::vector<Id> ids_, some_;
    std::vector<Near> near_;
    std::vector<PathHit> met_;
    std::vector<std::uint64_t> pairs_;
    Hits hits_;
};

std::string text(std::span<const std::uint32_t> words) {
    constexpr std::size_t kMost = 60;
    std::string all;
    for (const std::uint32_t word : words.first(std::min(words.size(), kMost))) {
        all += " " + std::to_string(word);
    }
    return words.size() > kMost ? all + " ..." : all;
}

std::span<const std::uint32_t> answer(const Transcript& transcript, std::size_t operation) {
    const std::size_t begin = operation == 0 ? 0 : transcript.ends[operation - 1];
    return std::span(transcript.words).subspan(begin, transcript.ends[operation] - begin);
}

} // namespace

template <std::size_t Dim>
void play(const Sequence<Dim>& sequence, Subject<Dim>& subject, Transcript& transcript) {
    transcript.clear();
    Player<Dim> player(subject, transcript);
    player.say(subject.lay_out(sequence.layout, sequence.kind));
    transcript.ends.push_back(transcript.words.size());
    for (const Operation<Dim>& operation : sequence.operations) {
        player.play(operation);
        transcript.ends.push_back(transcript.words.size());
    }
}

template <std::size_t Dim>
std::string difference(const Sequence<Dim>& sequence, const Transcript& got,
                       const Transcript& wanted) {
    if (got.words == wanted.words && got.ends == wanted.ends) { return ""; }
    for (std::size_t o = 0; o < wanted.ends.size(); ++o) {
        const auto said = answer(got, o);
        const auto right = answer(wanted, o);
        const bool able = said.empty() || said[0] != Transcript::kCannot;
        if (!able || std::equal(said.begin(), said.end(), right.begin(), right.end())) { continue; }
        std::string all = o == 0 ? "laid out" : to_string(sequence.operations[o - 1]);
        all += "\n    says" + text(said) + "\n    not " + text(right);
        if (got.complaint != nullptr) { all += "\n    validate(): " + std::string(got.complaint); }
        return all;
    }
    return "";
}

template void play(const Sequence<2>&, Subject<2>&, Transcript&);
template void play(const Sequence<3>&, Subject<3>&, Transcript&);
template std::string difference(const Sequence<2>&, const Transcript&, const Transcript&);
template std::string difference(const Sequence<3>&, const Transcript&, const Transcript&);

} // namespace throng::test
