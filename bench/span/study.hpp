// Profiles of workloads, and what is reckoned from them.
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

/// The machine, as far as a reckoning goes by it.
struct Conditions {
    Machine machine;
    Bandwidth bandwidth;
    LoopCosts costs;
};

/// A call that is timed block by block, cut as for any number of threads.
class Subject {
public:
    /// Makes two calls to warm up, as arrays grow. Throws std::runtime_error if an answer is wrong.
    Subject(const std::string& workload, const Setting& setting, std::size_t runs);

    /// The typical profile of the call, cut as for `threads` threads; timed only if no profile with
    /// this cut is known yet.
    const Profile& profile(std::size_t threads);
    /// A single profile, and the seconds that a team takes for a call.
    [[nodiscard]] Profile profile_once(std::size_t threads);
    [[nodiscard]] double seconds_of(Team& team);

    [[nodiscard]] Reckoning reckoned(const Profile& profile, std::size_t threads,
                                     const Conditions& conditions) const;
    [[nodiscard]] const Workload& workload() const noexcept { return *workload_; }

private:
    std::unique_ptr<Workload> workload_;
    std::size_t runs_;
    double reading_;            // of the clock
    std::deque<Profile> known_; // what profile() returns stays where it is
};

} // namespace throng::bench
