#include "ranks.hpp"

#include "../../distributed/one_rank.hpp"
#include "../arrays.hpp"
#include "structs.hpp"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

/// The parcels that have come, and whether all found memory.
struct throng_arrivals {
    std::vector<throng::Arrival>& arrivals;
    std::size_t count = 0;
    bool out_of_memory = false;
};

namespace throng::c {

namespace {

/// Ranks made of the host's callbacks.
class HostRanks final : public Ranks {
public:
    explicit HostRanks(const throng_ranks_callbacks& calls) : calls_(calls) {
        given_.reserve(calls.size);
    }

    [[nodiscard]] std::uint32_t rank() const noexcept override { return calls_.rank; }
    [[nodiscard]] std::uint32_t size() const noexcept override { return calls_.size; }
    [[nodiscard]] bool allows_threads() const noexcept override {
        return calls_.allows_threads != 0;
    }
    void enters(const char* call) noexcept override {
        if (calls_.enters != nullptr) { calls_.enters(calls_.user, call); }
    }
    Status begin_exchange(std::span<const Parcel> parcels,
                          std::span<const std::uint32_t> from) override {
        const auto given = in_c(parcels);
        return ended(calls_.begin_exchange(calls_.user, given.data(), given.size(), from.data(),
                                           from.size()),
                     true);
    }
    Status finish_exchange(std::vector<Arrival>& arrivals) override {
        throng_arrivals to{arrivals};
        const std::int32_t code = calls_.finish_exchange(calls_.user, &to);
        arrivals.resize(to.count);
        return ended(code, !to.out_of_memory);
    }
    Status route(std::span<const Parcel> parcels, std::vector<Arrival>& arrivals) override {
        const auto given = in_c(parcels);
        throng_arrivals to{arrivals};
        const std::int32_t code = calls_.route(calls_.user, given.data(), given.size(), &to);
        arrivals.resize(to.count);
        return ended(code, !to.out_of_memory);
    }
    Status begin_agree(std::span<const std::uint64_t> words) override {
        return ended(calls_.begin_agree(calls_.user, words.data(), words.size()), true);
    }
    Status finish_agree(std::span<std::uint64_t> words) override {
        return ended(calls_.finish_agree(calls_.user, words.data(), words.size()), true);
    }
    Status gather(std::span<const std::uint64_t> own, std::span<std::uint64_t> all) override {
        return ended(calls_.gather(calls_.user, own.data(), own.size(), all.data()), true);
    }

private:
    /// There is room: at most one parcel goes to each rank.
    std::span<const throng_parcel> in_c(std::span<const Parcel> parcels) {
        given_.clear();
        for (const Parcel& parcel : parcels) {
            given_.push_back({parcel.to, 0, parcel.bytes.data(), parcel.bytes.size()});
        }
        return given_;
    }
    Status ended(std::int32_t code, bool has_memory) {
        lost_ = lost_ || code != 0;
        if (lost_) { return {Cause::rank_lost}; }
        if (!has_memory) { throw std::bad_alloc(); } // the call has taken part like any other
        return {};
    }

    const throng_ranks_callbacks calls_;
    std::vector<throng_parcel> given_;
    bool lost_ = false;
};

} // namespace

} // namespace throng::c

using namespace throng::c;

throng_status throng::detail::give_ranks(std::shared_ptr<Ranks> ranks,
                                         throng_ranks** out) noexcept {
    return guarded([&] {
        check_out(out, "out");
        auto object = std::make_unique<RanksObject>();
        object->ranks = std::move(ranks);
        hand_out(std::move(object), *out);
        return kOk;
    });
}

throng_status throng_arrivals_add(throng_arrivals* arrivals, const throng_parcel* parcel) {
    return guarded([&] {
        if (arrivals == nullptr) { refuse(THRONG_NULL_HANDLE, "arrivals"); }
        check_pointer(parcel, alignof(throng_parcel) - 1, "parcel");
        const auto bytes =
            array_of<const std::byte>(parcel->bytes, parcel->size, "parcel.bytes", "parcel.size");
        try {
            // Reuses the memory of earlier arrivals.
            if (arrivals->count == arrivals->arrivals.size()) { arrivals->arrivals.emplace_back(); }
            throng::Arrival& to = arrivals->arrivals[arrivals->count];
            to.bytes.assign(bytes.begin(), bytes.end());
            to.from = parcel->rank;
            ++arrivals->count;
        } catch (const std::bad_alloc&) {
            arrivals->out_of_memory = true;
            refuse(THRONG_OUT_OF_MEMORY, "arrivals");
        }
        return kOk;
    });
}

throng_status throng_ranks_create(const throng_ranks_callbacks* callbacks, throng_ranks** out) {
    return guarded([&] {
        const throng_ranks_callbacks calls = read(callbacks, "callbacks");
        if (calls.size == 0) { refuse(THRONG_WRONG_VALUE, "callbacks.size"); }
        if (calls.rank >= calls.size) { refuse(THRONG_WRONG_VALUE, "callbacks.rank"); }
        if (calls.allows_threads > 1) { refuse(THRONG_WRONG_VALUE, "callbacks.allows_threads"); }
        if (calls.reserved != 0) { refuse(THRONG_WRONG_VALUE, "callbacks.reserved"); }
        const auto need = [](bool there, const char* name) {
            if (!there) { refuse(THRONG_NULL_POINTER, name); }
        };
        need(calls.begin_exchange != nullptr, "callbacks.begin_exchange");
        need(calls.finish_exchange != nullptr, "callbacks.finish_exchange");
        need(calls.route != nullptr, "callbacks.route");
        need(calls.begin_agree != nullptr, "callbacks.begin_agree");
        need(calls.finish_agree != nullptr, "callbacks.finish_agree");
        need(calls.gather != nullptr, "callbacks.gather");
        return throng::detail::give_ranks(std::make_shared<HostRanks>(calls), out);
    });
}

throng_status throng_ranks_one(throng_ranks** out) {
    return guarded(
        [&] { return throng::detail::give_ranks(std::make_shared<throng::OneRank>(), out); });
}

throng_status throng_ranks_destroy(throng_ranks* ranks) { return end(ranks, "ranks"); }

throng_status throng_ranks_count(const throng_ranks* ranks, uint32_t* rank, uint32_t* size) {
    return guarded([&] {
        const RanksObject& object = look_up(ranks, "ranks");
        check_wanted(rank, "rank");
        check_wanted(size, "size");
        write_value(object.ranks->rank(), rank);
        write_value(object.ranks->size(), size);
        return kOk;
    });
}
