// Profiles of workloads, and the estimates made from them.
#pragma once

#include "options.hpp"
#include "profile.hpp"
#include "schedule.hpp"

#include "../machine/bandwidth.hpp"
#include "../machine/machine.hpp"
#include "../machine/team.hpp"
#include "../workloads/workload.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace throng::bench {

/// The machine's properties on which estimates depend.
struct Conditions {
    Machine machine;
    Bandwidth bandwidth;
    LoopCosts costs;
};

/// A call that is timed block by block, divided as for any number of threads.
class Subject {
public:
    /// Makes two calls to warm up, because arrays grow. Throws std::runtime_error if an answer is
    /// wrong.
    Subject(const std::string& workload, const Setting& setting, std::size_t runs);

    /// The typical profile of the call, divided as for `threads` threads. Only timed if no profile
    /// with the same division is known yet.
    const Profile& profile(std::size_t threads);
    /// A single profile; and below, the seconds of a call on a team.
    [[nodiscard]] Profile profile_once(std::size_t threads);
    [[nodiscard]] double seconds_of(Team& team);

    [[nodiscard]] Reckoning reckoned(const Profile& profile, std::size_t threads,
                                     const Conditions& conditions) const;
    [[nodiscard]] const Workload& workload() const noexcept { return *workload_; }

private:
    std::unique_ptr<Workload> workload_;
    std::size_t runs_;
    double reading_;            // cost of a clock reading
    std::deque<Profile> known_; // a deque, so that returned references stay valid
};

} // namespace throng::bench
