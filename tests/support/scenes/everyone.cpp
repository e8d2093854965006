// Lists of the answers of all agents.
#include "everyone.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace throng::test {

namespace {

void append(Pairs& pairs, Id first, const Ids& seconds) {
    pairs.first.insert(pairs.first.end(), seconds.size(), first);
    pairs.second.insert(pairs.second.end(), seconds.begin(), seconds.end());
    pairs.count = pairs.first.size();
}

} // namespace

Hits joined(const std::vector<Ids>& answers) {
    Hits hits;
    hits.offsets.push_back(0);
    for (const Ids& ids : answers) {
        hits.ids.insert(hits.ids.end(), ids.begin(), ids.end());
        hits.offsets.push_back(hits.ids.size());
    }
    return hits;
}

Hits in_storage_order(const std::vector<Ids>& by_id, const CanonicalOrder& order) {
    std::vector<Ids> answers;
    for (const Id id : order.ids()) {
        answers.push_back(order.sorted(by_id[id]));
    }
    return joined(answers);
}

Hits in_id_order(std::vector<Ids> by_id, const CanonicalOrder& order) {
    for (Ids& ids : by_id) {
        ids = order.sorted(std::move(ids));
    }
    return joined(by_id);
}

Pairs pairs_within(const std::vector<Ids>& touching, const CanonicalOrder& order) {
    Pairs pairs;
    for (const Id id : order.ids()) {
        Ids seconds;
        std::copy_if(touching[id].begin(), touching[id].end(), std::back_inserter(seconds),
                     [&](Id other) { return order.rank(other) > order.rank(id); });
        append(pairs, id, order.sorted(std::move(seconds)));
    }
    return pairs;
}

Pairs pairs_between(const std::vector<Ids>& touching, const CanonicalOrder& order,
                    const CanonicalOrder& order_of_others) {
    Pairs pairs;
    for (const Id id : order.ids()) {
        append(pairs, id, order_of_others.sorted(touching[id]));
    }
    return pairs;
}

std::vector<std::uint32_t> lengths(const Hits& hits) {
    std::vector<std::uint32_t> counts;
    for (std::size_t q = 0; q + 1 < hits.offsets.size(); ++q) {
        counts.push_back(static_cast<std::uint32_t>(hits.of(q).size()));
    }
    return counts;
}

std::string difference(const Hits& got, const Hits& wanted) {
    if (got.offsets.size() != wanted.offsets.size()) {
        return std::to_string(got.offsets.size()) + " offsets and not " +
               std::to_string(wanted.offsets.size());
    }
    for (std::size_t q = 0; q + 1 < wanted.offsets.size(); ++q) {
        if (got.offsets[q] != wanted.offsets[q] || got.offsets[q + 1] != wanted.offsets[q + 1]) {
            return "offset of answer " + std::to_string(q);
        }
        const auto g = got.of(q), w = wanted.of(q);
        if (!std::equal(g.begin(), g.end(), w.begin(), w.end())) {
            return "answer " + std::to_string(q);
        }
    }
    return "";
}

std::string difference(const Pairs& got, const Pairs& wanted) {
    if (got.count != wanted.count) {
        return std::to_string(got.count) + " pairs and not " + std::to_string(wanted.count);
    }
    for (std::size_t p = 0; p < wanted.count; ++p) {
        if (got.first[p] != wanted.first[p] || got.second[p] != wanted.second[p]) {
            return "pair " + std::to_string(p);
        }
    }
    return "";
}

} // namespace throng::test
