#include "change.hpp"

#include "../agents.hpp"
#include "../arrays.hpp"
#include "../edits.hpp"
#include "../structs.hpp"

#include <memory>

namespace throng::c {

void ChangeObject::unlink_where_done() noexcept {
    if (crowd_ == nullptr || blocks() != 0) { return; }
    crowd_->set_stepper(nullptr);
    crowd_ = nullptr;
}

Status ChangeObject::next() {
    if (crowd_ == nullptr) { return {}; }
    CrowdObject& crowd = *crowd_;
    try {
        const Status status = space_.blocks() != 0 ? space_.next() : plane_.next();
        // Frees the memory of edits, as after a refused list of edits: so many edits may have used
        // up the memory.
        if (!status.ok()) { crowd.release_edits(); }
        unlink_where_done();
        return status;
    } catch (...) {
        crowd.release_edits();
        unlink_where_done();
        throw;
    }
}

void ChangeObject::let_go() noexcept {
    plane_.cancel();
    space_.cancel();
    unlink_where_done();
}

namespace {

/// Throws Refused before anything is done, if `out` cannot take a loop.
throng_loop read_loop(const throng_loop* out) { return read(out, "out"); }

throng_status tell(const ChangeObject& change, throng_loop known, throng_loop* out,
                   const throng_status& status) noexcept {
    if (status.code == THRONG_OK) {
        known.blocks = change.blocks();
        known.threads_worth = change.threads_worth();
        write(known, out);
    }
    return status;
}

/// Throws Refused for a crowd under another change. A crowd under this change is allowed, since the
/// caller gives up this change.
void check_free(const CrowdObject& crowd, const ChangeObject& change) {
    if (crowd.stepper() != nullptr && crowd.stepper() != &change) {
        refuse(THRONG_BEING_CHANGED, "crowd");
    }
}

} // namespace

} // namespace throng::c

using namespace throng::c;

throng_status throng_change_create(throng_change** out) {
    return guarded([&] {
        check_out(out, "out");
        hand_out(std::make_unique<ChangeObject>(), *out);
        return kOk;
    });
}

throng_status throng_change_destroy(throng_change* change) { return end(change, "change"); }

throng_status throng_change_update(throng_change* change, throng_crowd* crowd,
                                   const throng_agents* agents, size_t threads, throng_loop* out) {
    return guarded([&] {
        ChangeObject& object = look_up(change, "change");
        CrowdObject& changed = look_up(crowd, "crowd");
        const AgentsReader given(agents, kAgents);
        const throng_loop known = read_loop(out);
        check_free(changed, object);
        object.let_go();
        const throng_status status = changed.change([&]<std::size_t Dim>(throng::Crowd<Dim>& of) {
            return given.with<Dim>([&](const auto& all) {
                return object.begin<Dim>(changed, [&](throng::CrowdChange<Dim>& steps) {
                    return steps.update(of, all, threads);
                });
            });
        });
        return tell(object, known, out, status);
    });
}

throng_status throng_change_edit(throng_change* change, throng_crowd* crowd,
                                 const throng_edit* edits, size_t count, throng_loop* out) {
    return guarded([&] {
        ChangeObject& object = look_up(change, "change");
        CrowdObject& changed = look_up(crowd, "crowd");
        const auto given = array_of<const throng_edit>(edits, count, "edits", "count");
        const throng_loop known = read_loop(out);
        check_free(changed, object);
        object.let_go();
        const throng_status status = changed.change([&]<std::size_t Dim>(throng::Crowd<Dim>& of) {
            PreparedEdits<Dim> prepared(changed.edits<Dim>());
            const throng::Status room = throng::capped(changed.source(), [&] {
                prepared.read(given, of);
                return throng::Status();
            });
            if (!room.ok()) { return status_of(room); }
            const throng::Status begun =
                object.begin<Dim>(changed, [&](throng::CrowdChange<Dim>& steps) {
                    return steps.edit(of, prepared.all());
                });
            if (begun.ok()) { prepared.keep(); }
            return status_of(begun);
        });
        return tell(object, known, out, status);
    });
}

throng_status throng_change_run(throng_change* change, size_t begin, size_t end) {
    return guarded([&] {
        look_up(change, "change").run(begin, end);
        return kOk;
    });
}

throng_status throng_change_next(throng_change* change, throng_loop* out) {
    return guarded([&] {
        ChangeObject& object = look_up(change, "change");
        const throng_loop known = read_loop(out);
        return tell(object, known, out, status_of(object.next()));
    });
}

throng_status throng_change_cancel(throng_change* change) {
    return guarded([&] {
        look_up(change, "change").let_go();
        return kOk;
    });
}
