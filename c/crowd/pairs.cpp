// Pairs of agents that overlap, or are near each other.
#include "../arrays.hpp"
#include "../batch.hpp"
#include "../pairing.hpp"
#include "../structs.hpp"
#include "crowd.hpp"

#include <cstddef>
#include <cstdint>

using namespace throng::c;

throng_status throng_find_pairs(throng_batch* batch, const throng_crowd* crowd,
                                const throng_pairing* pairing, throng_pairs* out) {
    return guarded([&] {
        BatchObject& object = look_up(batch, "batch");
        const CrowdObject& asked = look_up(crowd, "crowd");
        const Pairing wanted(pairing);
        throng_pairs pairs = read(out, "out");
        const throng::Status status = asked.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            return wanted.list(object.of<Dim>(), of, object.pairs);
        });
        if (status.ok()) {
            pairs.first = object.pairs.first.data();
            pairs.second = object.pairs.second.data();
            pairs.total = object.pairs.count;
            write(pairs, out);
        }
        return status_of(status, kPairing);
    });
}

throng_status throng_find_pairs_into(throng_batch* batch, const throng_crowd* crowd,
                                     const throng_pairing* pairing, throng_pairs_room* out) {
    return guarded([&] {
        BatchObject& object = look_up(batch, "batch");
        const CrowdObject& asked = look_up(crowd, "crowd");
        const Pairing wanted(pairing);
        throng_pairs_room room = read(out, "out");
        const throng::PairsOutput to = {
            array_of<std::uint32_t>(room.first, room.room, "out.first", "out.room"),
            array_of<std::uint32_t>(room.second, room.room, "out.second", "out.room")};
        const throng::Found found = asked.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            return wanted.list(object.of<Dim>(), of, to);
        });
        if (!found.status.ok()) { return status_of(found.status, kPairing); }
        room.total = found.count;
        write(room, out);
        return found.count <= room.room ? kOk
                                        : status_with(THRONG_NO_ROOM, "out.first", found.count);
    });
}

throng_status throng_count_pairs(throng_batch* batch, const throng_crowd* crowd,
                                 const throng_pairing* pairing, uint64_t* total) {
    return guarded([&] {
        BatchObject& object = look_up(batch, "batch");
        const CrowdObject& asked = look_up(crowd, "crowd");
        const Pairing wanted(pairing);
        check_out(total, "total");
        const throng::Found found = asked.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            return wanted.count(object.of<Dim>(), of);
        });
        if (found.status.ok()) { *total = found.count; }
        return status_of(found.status, kPairing);
    });
}
