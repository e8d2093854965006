// The answers that Contacts must give, found with sets and maps from the pairs of a batch.
#pragma once

#include <throng/parallel/batch/batch.hpp>
#include <throng/parallel/frames/contacts.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace throng::test {

/// All answers about a frame.
struct FrameAnswers {
    std::vector<Contact> pairs, ended;
    std::vector<std::uint32_t> previous, began, ended_previous;

    friend bool operator==(const FrameAnswers&, const FrameAnswers&) = default;
};

template <std::size_t Dim>
FrameAnswers answers_of(const Contacts<Dim>& contacts) {
    const auto copy = [](auto span) {
        return std::vector<typename decltype(span)::value_type>(span.begin(), span.end());
    };
    return {copy(contacts.pairs()), copy(contacts.ended()), copy(contacts.previous()),
            copy(contacts.began()), copy(contacts.ended_previous())};
}

/// What a frame asks: a crowd or a grid, and bodies that overlap or are within a distance.
template <std::size_t Dim>
struct FrameKind {
    const Crowd<Dim>* crowd = nullptr;
    const RowGrid<Dim>* grid = nullptr;
    std::optional<float> radius{};
    PairSets sets = PairSets::agents;
    std::uint32_t groups = kAllGroups;
    Body overlapping = Body::box; ///< this and the next have the defaults of the calls
    Body near = Body::centre;

    Status update(Contacts<Dim>& contacts) const {
        if (crowd != nullptr) {
            return radius ? contacts.update_within({*crowd, sets}, *radius, groups, near)
                          : contacts.update({*crowd, sets}, groups, overlapping);
        }
        return radius ? contacts.update_within(*grid, *radius, groups, near)
                      : contacts.update(*grid, groups, overlapping);
    }
    Status list(Batch<Dim>& batch, Pairs& pairs) const {
        if (crowd != nullptr) {
            return radius ? batch.pairs_within({*crowd, sets}, *radius, pairs, groups, near)
                          : batch.pairs({*crowd, sets}, pairs, groups, overlapping);
        }
        return radius ? batch.pairs_within(*grid, *radius, pairs, groups, near)
                      : batch.pairs(*grid, pairs, groups, overlapping);
    }
};

/// Remembers the handles of both agents of each pair of a frame.
template <std::size_t Dim>
class FramesModel {
public:
    /// The answers for the next frame.
    FrameAnswers next(const FrameKind<Dim>& kind) {
        Pairs pairs;
        Batch<Dim> batch;
        EXPECT_EQ(kind.list(batch, pairs), Status{});
        const auto name = [&](Id id) {
            return kind.crowd == nullptr ? Handle{} : kind.crowd->handle_of(id);
        };
        std::map<std::pair<Id, Id>, Entry> now;
        for (std::size_t i = 0; i < pairs.count; ++i) {
            const auto [a, b] = std::minmax(pairs.first[i], pairs.second[i]);
            const bool is_new = now.emplace(std::pair(a, b), Entry{name(a), name(b), 0}).second;
            EXPECT_TRUE(is_new);
        }
        FrameAnswers answers;
        const auto same = [](const Entry& x, const Entry& y) {
            return x.first == y.first && x.second == y.second;
        };
        for (auto& [ids, entry] : now) {
            entry.index = static_cast<std::uint32_t>(answers.pairs.size());
            answers.pairs.push_back({ids.first, ids.second});
            const auto found = then_.find(ids);
            const bool lasts = found != then_.end() && same(found->second, entry);
            answers.previous.push_back(lasts ? found->second.index : kNoContact);
            if (!lasts) { answers.began.push_back(entry.index); }
        }
        for (const auto& [ids, entry] : then_) {
            const auto found = now.find(ids);
            if (found != now.end() && same(found->second, entry)) { continue; }
            answers.ended.push_back({ids.first, ids.second});
            answers.ended_previous.push_back(entry.index);
        }
        then_ = std::move(now);
        return answers;
    }
    void clear() { then_.clear(); }

private:
    struct Entry {
        Handle first, second;
        std::uint32_t index;
    };
    std::map<std::pair<Id, Id>, Entry> then_;
};

} // namespace throng::test
