// Forecasts the time of a work from its times with fewer agents.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace throng::shootout {

/// Counts of agents must ascend, so that the last two notes of a work show its growth.
class Forecast {
public:
    void note(const std::string& what, std::size_t agents, double seconds_each) {
        Notes& notes = notes_[what];
        if (!notes.empty() && notes.back().first == agents) { notes.pop_back(); }
        notes.emplace_back(agents, seconds_each);
    }

    /// Seconds for each unit of work; empty without a note.
    [[nodiscard]] std::optional<double> each(const std::string& what, std::size_t agents) const {
        const auto found = notes_.find(what);
        if (found == notes_.end()) { return std::nullopt; }
        const Notes& notes = found->second;
        const auto [last_agents, last] = notes.back();
        // With only one note: times grow a little with the crowd, because of caches.
        double growth = 0.15;
        if (notes.size() > 1) {
            const auto [earlier_agents, earlier] = notes[notes.size() - 2];
            growth = std::log(last / earlier) / std::log(static_cast<double>(last_agents) /
                                                         static_cast<double>(earlier_agents));
        }
        return last * std::pow(static_cast<double>(agents) / static_cast<double>(last_agents),
                               std::clamp(growth, 0.0, 2.0));
    }

private:
    using Notes = std::vector<std::pair<std::size_t, double>>;
    std::map<std::string, Notes> notes_;
};

} // namespace throng::shootout
