// Every structure of the family, and wrappers of some, as subjects of sequences.
#pragma once

#include "../support/apply_edit.hpp"
#include "../support/reports.hpp"
#include "transcript.hpp"

#include <throng/engine/agents/validation.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/frozen/frozen.hpp>

#include <cmath>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace throng::test {

/// A Crowd whose edits are also made to the oracles, or other crowds, of `Self`, which derives from
/// it: change(make) of `Self` calls make(index) for each of them, and returns one status.
template <class Self, std::size_t Dim>
class CrowdWithOthers : public Crowd<Dim> {
public:
    Status insert(Id id, const Agent<Dim>& agent) {
        return change([&](auto& index) { return index.insert(id, agent); });
    }
    Status erase(Id id) {
        return change([&](auto& index) { return index.erase(id); });
    }
    Status move(Id id, const Point<Dim>& position) {
        return change([&](auto& index) { return index.move(id, position); });
    }
    Status edit(std::span<const Edit<Dim>> edits) {
        return change([&](auto& index) { return index.edit(edits); });
    }

private:
    template <class Change>
    Status change(const Change& make) {
        return static_cast<Self&>(*this).change(make);
    }
};

/// The status that edit() would return for a list, for indexes that have only insert(), erase() and
/// move().
template <std::size_t Dim, class Index>
Status refusal_of(const Index& index, std::span<const Edit<Dim>> edits) {
    std::map<Id, bool> there; // ids that the list has changed so far, and whether they exist
    for (std::size_t i = 0; i < edits.size(); ++i) {
        const auto& [kind, id, agent] = edits[i];
        const auto changed = there.find(id);
        const bool known = changed != there.end() ? changed->second : index.contains(id);
        Status status;
        if (kind == Edit<Dim>::Kind::insert) {
            status = check_agent(agent, index.kind());
            if (status.ok() && known) { status.cause = Cause::id_taken; }
        } else if (!known) {
            status.cause = Cause::id_unknown;
        } else if (kind == Edit<Dim>::Kind::move) {
            status = check_point(agent.position, Argument::positions);
        }
        if (!status.ok()) { return {status.cause, Argument::edits, i}; }
        there[id] = kind != Edit<Dim>::Kind::erase;
    }
    return {};
}

/// Wraps any entry of the family; see indexes.hpp.
template <class Entry>
class SubjectOf final : public Subject<Entry::kDim> {
    static constexpr std::size_t kDim = Entry::kDim;
    using Index = typename Entry::Index;

public:
    Status lay_out(const scenes::Scene<kDim>& scene, const CrowdKind<kDim>& kind) override {
        return Entry::lay_out(index_, scene, kind);
    }
    Status update(const Agents<kDim>& agents) override { return index_.update(agents); }
    Status edit(const Edit<kDim>& edit) override { return apply_to(index_, edit); }
    Status edit(std::span<const Edit<kDim>> edits) override {
        if constexpr (requires { index_.edit(edits); }) {
            return index_.edit(edits);
        } else {
            const Status status = refusal_of(index_, edits);
            for (std::size_t i = 0; status.ok() && i < edits.size(); ++i) {
                const Status one = apply_to(index_, edits[i]);
                if (!one.ok()) { return one; } // brute force never returns such a status
            }
            return status;
        }
    }
    void tidy() override { Entry::tidy(index_); }
    void clear() override { index_.clear(); }

    [[nodiscard]] Asked<kDim> asked() const noexcept override { return index_; }
    [[nodiscard]] std::size_t size() const override { return index_.size(); }
    [[nodiscard]] bool contains(Id id) const override { return index_.contains(id); }
    [[nodiscard]] CrowdKind<kDim> kind() const override { return index_.kind(); }
    [[nodiscard]] const char* validate() const override { return index_.validate(); }
    Found visit_pairs(IndexPairVisitor visitor, std::uint32_t groups) const override {
        return index_.visit_pairs(visitor, groups);
    }
    bool nearest(const Point<kDim>& point, const Nearest& nearest, std::span<Near> out,
                 const Filter& filter, Found& found) const override {
        constexpr bool kCan = requires { index_.nearest(point, nearest, out, filter); };
        if constexpr (kCan) { found = index_.nearest(point, nearest, out, filter); }
        return kCan;
    }
    bool hits(const AnyShape<kDim>& path, const Filter& filter, Status& status,
              std::vector<PathHit>& met, Found& found, PathHit& first) const override {
        constexpr bool kCan = requires(Segment<kDim> segment) {
            index_.hits(segment, met, filter);
        };
        if constexpr (kCan) {
            const auto ask = [&](const auto& along) {
                status = index_.hits(along, met, filter);
                found = index_.first(along, first, filter);
            };
            if (const auto* segment = std::get_if<Segment<kDim>>(&path)) { ask(*segment); }
            if (const auto* ray = std::get_if<Ray<kDim>>(&path)) { ask(*ray); }
            if (const auto* capsule = std::get_if<Capsule<kDim>>(&path)) { ask(*capsule); }
        }
        return kCan;
    }

private:
    Index index_;
};

/// An entry of the family that tidy() saves and loads.
template <class Entry>
struct SavedAndLoaded : Entry {
    inline static const std::string kName = std::string("saved_") + Entry::kName;
    static void tidy(typename Entry::Index& index) {
        Entry::tidy(index);
        std::vector<std::byte> kept;
        typename Entry::Index back;
        EXPECT_EQ(save(index, kept), Status{});
        EXPECT_EQ(load(back, std::span<const std::byte>(kept)), Status{});
        index = std::move(back);
    }
};

/// A crowd without bounds: its cells follow from its first agents, however these come, and updates
/// lay others.
template <std::size_t Dim>
struct InFittedCrowd : Family<Crowd<Dim>, Dim> {
    static constexpr const char* kName = "fitted_crowd";
    static Status lay_out(Crowd<Dim>& crowd, const scenes::Scene<Dim>&,
                          const CrowdKind<Dim>& kind) {
        return crowd.configure({}, kind);
    }
};

/// A subject of sequences, with its name.
template <std::size_t Dim>
struct Candidate {
    std::string name;
    void (*play)(const Sequence<Dim>& sequence, Transcript& transcript);
};

template <class Entry>
Candidate<Entry::kDim> candidate() {
    return {Entry::kName, [](const Sequence<Entry::kDim>& sequence, Transcript& transcript) {
                SubjectOf<Entry> subject;
                play<Entry::kDim>(sequence, subject, transcript);
            }};
}

/// The subjects of `Dim` dimensions.
template <std::size_t Dim, class... Entries>
std::vector<Candidate<Dim>> candidates(const testing::Types<Entries...>*) {
    std::vector<Candidate<Dim>> all;
    const auto add = [&]<class Entry>(const Entry*) {
        if constexpr (Entry::kDim == Dim) {
            all.push_back(candidate<Entry>());
            if constexpr (Freezable<typename Entry::Index>) {
                all.push_back(candidate<SavedAndLoaded<Entry>>());
            }
        }
    };
    (add(static_cast<const Entries*>(nullptr)), ...);
    return all;
}

/// Plays the sequence. Returns an empty text if the answers are those of brute force and no
/// assertion of the library fails.
template <std::size_t Dim>
std::string fault(const Sequence<Dim>& sequence, const Candidate<Dim>& candidate) {
    const Reports reports;
    Transcript wanted, got;
    test::candidate<InBruteForce<Dim>>().play(sequence, wanted);
    candidate.play(sequence, got);
    std::string fault = difference(sequence, got, wanted);
    if (reports.count() != 0) { fault += "\n    assertion: " + reports.last(); }
    return fault;
}

} // namespace throng::test
