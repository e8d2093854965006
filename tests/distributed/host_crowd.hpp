// The same crowd twice on the ranks of a host: by the calls of throng_distributed.h, and in C++.
#pragma once

#include <throng/throng_distributed.h>

#include "flock.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::test {

inline constexpr std::size_t kAgents = 500;
inline constexpr float kSide = 30.0f, kReach = 2.0f;

/// A rank of a job, as the callbacks of a C host reach it.
struct HostRank {
    Ranks& ranks;
    std::vector<Parcel> all_parcels{};

    std::span<const Parcel> borrow(const throng_parcel* given, std::size_t count) {
        all_parcels.clear();
        for (std::size_t i = 0; i < count; ++i) {
            all_parcels.push_back(
                {given[i].rank, {static_cast<const std::byte*>(given[i].bytes), given[i].size}});
        }
        return all_parcels;
    }
    static std::int32_t code(const Status& status) { return status.ok() ? 0 : 1; }
    static std::int32_t give(const std::vector<Arrival>& all, throng_arrivals* to) {
        for (const Arrival& one : all) {
            const throng_parcel parcel = {one.from, 0, one.bytes.data(), one.bytes.size()};
            EXPECT_EQ(throng_arrivals_add(to, &parcel).code, THRONG_OK);
        }
        return 0;
    }
    throng_ranks_callbacks callbacks() {
        throng_ranks_callbacks calls = THRONG_RANKS_CALLBACKS_INIT;
        calls.rank = ranks.rank();
        calls.size = ranks.size();
        calls.user = this;
        calls.begin_exchange = [](void* user, const throng_parcel* parcels, std::size_t count,
                                  const std::uint32_t* from, std::size_t from_count) {
            auto& self = *static_cast<HostRank*>(user);
            return code(self.ranks.begin_exchange(self.borrow(parcels, count), {from, from_count}));
        };
        calls.finish_exchange = [](void* user, throng_arrivals* arrivals) {
            std::vector<Arrival> all;
            const Status status = static_cast<HostRank*>(user)->ranks.finish_exchange(all);
            return status.ok() ? give(all, arrivals) : 1;
        };
        calls.route = [](void* user, const throng_parcel* parcels, std::size_t count,
                         throng_arrivals* arrivals) {
            auto& self = *static_cast<HostRank*>(user);
            std::vector<Arrival> all;
            const Status status = self.ranks.route(self.borrow(parcels, count), all);
            return status.ok() ? give(all, arrivals) : 1;
        };
        calls.begin_agree = [](void* user, const std::uint64_t* words, std::size_t count) {
            return code(static_cast<HostRank*>(user)->ranks.begin_agree({words, count}));
        };
        calls.finish_agree = [](void* user, std::uint64_t* words, std::size_t count) {
            return code(static_cast<HostRank*>(user)->ranks.finish_agree({words, count}));
        };
        calls.gather = [](void* user, const std::uint64_t* own, std::size_t count,
                          std::uint64_t* all) {
            auto& self = *static_cast<HostRank*>(user);
            return code(self.ranks.gather({own, count}, {all, count * self.ranks.size()}));
        };
        return calls;
    }
};

inline void expect_ok(const throng_status& status) {
    char text[200];
    throng_status_text(status, text, sizeof text);
    ASSERT_EQ(status.code, THRONG_OK) << text;
}
inline void expect_refused(const throng_status& status, int code, const char* argument,
                           std::uint64_t index = 0) {
    EXPECT_EQ(status.code, code) << status.argument;
    EXPECT_STREQ(status.argument, argument);
    EXPECT_EQ(status.index, index);
}

template <std::size_t Dim>
Point<Dim> place_of(std::size_t agent) {
    scenes::Random random(agent);
    Point<Dim> place;
    for (std::size_t a = 0; a < Dim; ++a) {
        place[a] = std::floor(random.between(0.0f, kSide)); // so that many are equally near
    }
    return place;
}

template <std::size_t Dim>
throng_distributed_settings settings_in_c() {
    throng_distributed_settings settings = THRONG_DISTRIBUTED_SETTINGS_INIT;
    settings.dimension = Dim;
    settings.reach = kReach;
    settings.groups = 1;
    for (std::size_t a = 0; a < Dim; ++a) {
        settings.high[a] = kSide;
        settings.cell[a] = 2.0f;
        settings.common_half_extent[a] = 0.5f;
    }
    return settings;
}

/// A share, a crowd and a job in C, and the same in C++.
template <std::size_t Dim>
struct Both {
    explicit Both(Ranks& job) : host{job}, plain(job) {
        const throng_ranks_callbacks calls = host.callbacks();
        expect_ok(throng_ranks_create(&calls, &ranks));
        expect_ok(throng_share_create(Dim, 0, 1, &share));
        std::uint32_t column = 99;
        expect_ok(throng_share_add_column(share, 6, 1, &column));
        EXPECT_EQ(column, 0u);
        const throng_distributed_settings settings = settings_in_c<Dim>();
        expect_ok(throng_distributed_create(ranks, &settings, &crowd));
        DistributedSettings<Dim> same;
        same.bounds = {Point<Dim>{}, Point<Dim>::all(kSide)};
        same.cell = Point<Dim>::all(2.0f);
        same.reach = kReach;
        same.kind.common_half_extent = Point<Dim>::all(0.5f);
        same.kind.groups = true;
        EXPECT_EQ(plain.configure(same), Status{});
        std::vector<std::size_t> agents;
        for (std::size_t i = job.rank(); i < kAgents; i += job.size()) {
            agents.push_back(i);
        }
        expect_ok(throng_share_resize(share, agents.size(), agents.size()));
        const throng_share_arrays arrays = get();
        for (std::size_t k = 0; k < agents.size(); ++k) {
            const Point<Dim> place = place_of<Dim>(agents[k]);
            const std::uint32_t mask = 1u << agents[k] % 3;
            arrays.ids[k] = 7 * agents[k];
            std::copy(place.axis.begin(), place.axis.end(), arrays.positions + Dim * k);
            arrays.groups[k] = mask;
            column_of(k)[5] = static_cast<unsigned char>(agents[k]);
            mine.ids.push_back(7 * agents[k]);
            mine.positions.push_back(place);
            mine.groups.push_back(mask);
        }
    }
    ~Both() {
        EXPECT_EQ(throng_distributed_destroy(crowd).code, THRONG_OK);
        EXPECT_EQ(throng_share_destroy(share).code, THRONG_OK);
        EXPECT_EQ(throng_ranks_destroy(ranks).code, THRONG_OK);
    }
    Both(const Both&) = delete;
    Both& operator=(const Both&) = delete;

    [[nodiscard]] throng_share_arrays get() const {
        throng_share_arrays arrays = THRONG_SHARE_ARRAYS_INIT;
        expect_ok(throng_share_get(share, &arrays));
        return arrays;
    }
    [[nodiscard]] unsigned char* column_of(std::size_t agent) const {
        void* data = nullptr;
        expect_ok(throng_share_column(share, 0, &data));
        return static_cast<unsigned char*>(data) + 6 * agent;
    }
    [[nodiscard]] throng_distributed_facts facts() const {
        throng_distributed_facts facts = THRONG_DISTRIBUTED_FACTS_INIT;
        expect_ok(throng_distributed_get(crowd, &facts));
        return facts;
    }
    void update() {
        ASSERT_NO_FATAL_FAILURE(expect_ok(throng_distributed_update(crowd, share, nullptr)));
        ASSERT_EQ(plain.update(mine), Status{});
    }

    HostRank host;
    throng_ranks* ranks = nullptr;
    throng_share* share = nullptr;
    throng_distributed* crowd = nullptr;
    DistributedGrid<Dim> plain;
    Share<Dim> mine;
};

} // namespace throng::test
