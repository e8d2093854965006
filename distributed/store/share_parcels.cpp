// Parcels between ranks: agents that move to a new owner, and ghosts.
#include "share_update.hpp"

#include <algorithm>
#include <cstring>

namespace throng {

namespace {

/// The head of a parcel. All arrays of the movers follow, then all arrays of the ghosts, both in
/// the order of global ids. The last ghosts, `moved` of them, are beyond a border of a periodic
/// world, and have that order among themselves.
struct ParcelHead {
    std::uint64_t movers = 0, ghosts = 0, moved = 0;
};

/// Whether `bytes`, the length behind a head, is what its numbers of movers and ghosts need.
bool fits(const ParcelHead& head, std::size_t bytes, std::size_t of_mover,
          std::size_t of_ghost) noexcept {
    if (of_mover == 0 || of_ghost == 0) { return false; } // never happens: ids always travel
    if (head.moved > head.ghosts) { return false; }
    // Divides, so that no product overflows.
    if (head.movers > bytes / of_mover || head.ghosts > bytes / of_ghost) { return false; }
    return head.movers * of_mover + head.ghosts * of_ghost == bytes;
}

} // namespace

template <std::size_t Dim>
Status ShareUpdate<Dim>::pack() {
    for (Outgoing<Dim>& out : layout_.outgoing) {
        pack(out);
    }
    for (Outgoing<Dim>& out : strangers_) {
        pack(out);
    }
    if (!staying_.ghosts.empty() || !staying_.moved.empty()) { pack(staying_); }
    return {};
}

template <std::size_t Dim>
void ShareUpdate<Dim>::pack(Outgoing<Dim>& out) {
    const std::size_t ghosts = out.ghosts.size() + out.moved.size();
    const ParcelHead head = {out.movers.size(), ghosts, out.moved.size()};
    std::size_t size = sizeof head;
    for_each_array([&](const detail::ShareArray& array) {
        const bool all = array.travels == Travels::with_ghosts;
        size += array.bytes * (out.movers.size() + (all ? ghosts : 0));
    });
    out.bytes.resize(size);
    std::memcpy(out.bytes.data(), &head, sizeof head);
    std::byte* to = out.bytes.data() + sizeof head;
    const auto put = [&](const detail::ShareArray& array, const Vector<Id>& agents) {
        with_size(array.bytes, [&](auto each) {
            const std::byte* const from = array.now();
            for (const Id id : agents) {
                std::memcpy(to, from + id * each, each);
                to += each;
            }
        });
    };
    for_each_array([&](const detail::ShareArray& array) { put(array, out.movers); });
    for_each_array([&](const detail::ShareArray& array) {
        if (array.travels != Travels::with_ghosts) { return; }
        put(array, out.ghosts);
        if (&array != &mine_.positions_array_) { return put(array, out.moved); }
        to = std::copy_n(reinterpret_cast<const std::byte*>(out.places.data()),
                         out.places.size() * sizeof(Point<Dim>), to);
    });
    out.parcel = out.bytes;
}

/// The parcels of a rank that refuses are empty, without even a head.
template <std::size_t Dim>
Status ShareUpdate<Dim>::exchange(bool routed) {
    // Sending must not fail for lack of memory; the layout has reserved room.
    std::vector<Parcel>& parcels = layout_.parcels;
    parcels.clear();
    for (const Outgoing<Dim>& out : layout_.outgoing) {
        parcels.push_back({out.to, out.parcel});
    }
    Status own =
        without_throwing([&] { return state_.ranks.begin_exchange(parcels, layout_.neighbours); });
    if (own.cause == Cause::rank_lost) { return own; }
    const auto take = [&](const auto& call) {
        const Status status = without_throwing(call);
        if (own.ok() || status.cause == Cause::rank_lost) { own = status; }
    };
    take([&] { return state_.ranks.finish_exchange(state_.arrivals); });
    if (own.cause == Cause::rank_lost) { return own; }
    if (routed) {
        std::vector<Parcel> far;
        take([&] {
            far.reserve(strangers_.size());
            for (const Outgoing<Dim>& out : strangers_) {
                far.push_back({out.to, out.parcel});
            }
            return Status{};
        });
        take([&] { return state_.ranks.route(far, routed_); });
    }
    if (!own.ok()) { return own; }
    return without_throwing([&] {
        for (const std::span<const Arrival> arrivals :
             {std::span<const Arrival>(state_.arrivals), std::span<const Arrival>(routed_)}) {
            for (const Arrival& arrival : arrivals) {
                const Status status = unpack(arrival.from, arrival.bytes);
                if (!status.ok()) { return status; }
            }
        }
        return unpack(state_.ranks.rank(), staying_.parcel);
    });
}

template <std::size_t Dim>
Status ShareUpdate<Dim>::unpack(std::uint32_t from, std::span<const std::byte> bytes) {
    if (bytes.empty()) { return {}; }
    std::size_t of_mover = 0, of_ghost = 0; // bytes
    for_each_array([&](const detail::ShareArray& array) {
        of_mover += array.bytes;
        of_ghost += array.travels == Travels::with_ghosts ? array.bytes : 0;
    });
    ParcelHead head;
    const bool whole = bytes.size() >= sizeof head;
    if (whole) { std::memcpy(&head, bytes.data(), sizeof head); }
    if (!whole || !fits(head, bytes.size() - sizeof head, of_mover, of_ghost)) {
        return {Cause::count_mismatch, Argument::arrays, from};
    }
    sources_.push_back({bytes.data() + sizeof head, static_cast<std::size_t>(head.movers),
                        static_cast<std::size_t>(head.ghosts),
                        static_cast<std::size_t>(head.moved)});
    return {};
}

template class ShareUpdate<2>;
template class ShareUpdate<3>;

} // namespace throng
