// All agents that a path meets, and the first one after a given hit.
#include "../arrays.hpp"
#include "../questions.hpp"
#include "crowd.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

using namespace throng::c;

throng_status throng_first_after_one(const throng_crowd* crowd, const throng_questions* path,
                                     const throng_meeting* after, throng_meeting* meeting) {
    return guarded([&] {
        const CrowdObject& asked = look_up(crowd, "crowd");
        const QuestionsReader given(path, kPath);
        const auto last = array_of<const throng::PathHit>(after, 1, "after", "after");
        if (std::isnan(last[0].time)) { refuse(THRONG_NOT_FINITE, "after"); }
        check_out(meeting, "meeting");
        throng::PathHit hit;
        const throng::Found found = asked.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            return of.first_after(last[0], given.paths<Dim>(), hit, given.filters().of(0),
                                  given.sets());
        });
        if (found.status.ok()) { *meeting = {hit.time, hit.id}; }
        return given.as_asked(found.status);
    });
}

throng_status throng_meetings_one(const throng_crowd* crowd, const throng_questions* path,
                                  throng_meeting* meetings, size_t room, uint64_t* total) {
    return guarded([&] {
        const CrowdObject& asked = look_up(crowd, "crowd");
        const QuestionsReader given(path, kPath);
        const auto to = array_of<throng::PathHit>(meetings, room, "meetings", "room");
        check_out(total, "total");
        std::vector<throng::PathHit> all;
        const throng::Status status = asked.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            return of.hits(given.paths<Dim>(), all, given.filters().of(0), given.sets());
        });
        if (!status.ok()) { return given.as_asked(status); }
        std::copy_n(all.begin(), std::min(all.size(), to.size()), to.begin());
        *total = all.size();
        return all.size() <= to.size() ? kOk : status_with(THRONG_NO_ROOM, "meetings", all.size());
    });
}
