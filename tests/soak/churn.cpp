#include "../family/indexes.hpp"
#include "../support/random.hpp"
#include "agree.hpp"
#include "memory.hpp"
#include "soak.hpp"
#include "watchdog.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <type_traits>
#include <vector>

namespace throng::soak {

namespace {

/// After this many operations, parts of a structure hardly grow any more: each has been about as
/// full as chance makes it.
constexpr std::uint64_t kSettled = 20'000'000;

/// A structure, and the agents that it should hold.
template <class Entry>
class Churn {
public:
    static constexpr std::size_t kDim = Entry::kDim;

    explicit Churn(std::uint64_t seed) : random_(seed), place_of_(kIds), here_(kIds, false) {
        scene_ = scenes::make_uniform<kDim>(kIds / 2);
        const CrowdKind<kDim> kind{false, false, Point<kDim>::all(0.25f)};
        sound_ = Entry::lay_out(index_, scene_, kind).ok();
        scene_.half_extent = {};
        scene_.common_half_extent = kind.common_half_extent;
        sound_ = index_.update(scene_.agents()).ok() && sound_;
        for (Id id = 0; id < scene_.size(); ++id) {
            place_of_[id] = scene_.position_of(id);
            here_[id] = true;
        }
        size_ = scene_.size();
    }

    void run(std::uint64_t operations) {
        for (std::uint64_t i = 0; i < operations; ++i) {
            change(static_cast<Id>(random_.below(kIds)));
        }
        Entry::tidy(index_);
    }

    /// Whether the index is valid, and finds the right agents.
    [[nodiscard]] bool check() {
        if (!sound_ || index_.validate() != nullptr || index_.size() != size_) { return false; }
        test::Truth<kDim> truth;
        if (!truth.configure(index_.kind()).ok()) { return false; }
        for (Id id = 0; id < kIds; ++id) {
            if (here_[id] && !truth.insert(id, {place_of_[id], {}, {}}).ok()) { return false; }
        }
        for (int q = 0; q < 20; ++q) {
            const Point<kDim> place = somewhere();
            const float size = random_.between(0.0f, 4.0f);
            if (!agree(index_, truth, place, size)) { return false; }
        }
        return true;
    }

    [[nodiscard]] std::size_t memory() const { return index_.memory().total(); }

private:
    static constexpr Id kIds = 20'000; // about half of them are in use

    void change(Id id) {
        const std::uint32_t what = random_.below(8);
        if (!here_[id]) {
            place_of_[id] = somewhere();
            sound_ = index_.insert(id, {place_of_[id], {}, {}}).ok() && sound_;
            here_[id] = true;
            ++size_;
        } else if (what < 4) {
            sound_ = index_.erase(id).ok() && sound_;
            here_[id] = false;
            --size_;
        } else {
            // A small step, or a jump to any place.
            for (float& x : place_of_[id].axis) {
                x += random_.between(-0.3f, 0.3f);
            }
            if (what == 7) { place_of_[id] = somewhere(); }
            sound_ = index_.move(id, place_of_[id]).ok() && sound_;
        }
    }

    Point<kDim> somewhere() {
        Point<kDim> point;
        for (std::size_t a = 0; a < kDim; ++a) {
            point[a] = random_.between(scene_.world.lo[a], scene_.world.hi[a]);
        }
        return point;
    }

    scenes::Random random_;
    scenes::Scene<kDim> scene_;
    typename Entry::Index index_;
    std::vector<Point<kDim>> place_of_;
    std::vector<bool> here_;
    std::size_t size_ = 0;
    bool sound_ = true;
};

double growth(std::size_t from, std::size_t to) {
    return 100.0 * static_cast<double>(to) / static_cast<double>(from) - 100.0;
}

template <class Entry>
bool churn_one(std::uint64_t operations, std::uint64_t seed, Watchdog& watchdog) {
    using Clock = std::chrono::steady_clock;
    constexpr std::uint64_t kParts = 10;
    Churn<Entry> churn(seed);
    std::size_t process = 0; // bytes of the process and the index, at half time
    std::size_t index = 0;
    bool sound = churn.check();
    std::chrono::duration<double> spent{0};
    for (std::uint64_t part = 0; part < kParts; ++part) {
        // In small pieces, so that the watchdog sees progress.
        for (std::uint64_t left = operations / kParts; left > 0;) {
            const std::uint64_t piece = std::min<std::uint64_t>(left, 100'000);
            const auto start = Clock::now();
            churn.run(piece);
            spent += Clock::now() - start;
            left -= piece;
            watchdog.beat(Entry::kName);
        }
        sound = churn.check() && sound;
        if (part == kParts / 2 - 1) {
            process = resident_bytes();
            index = churn.memory();
        }
    }
    const double of_process = growth(process, resident_bytes());
    const double of_index = growth(index, churn.memory());
    // Short runs prove nothing: rows may still become fuller.
    const bool bounded = operations < kSettled || (of_process < 1.0 && of_index < 1.0);
    std::printf("%-14s %zuD %11llu operations %5.0f ns each  in the second half: process %+.2f %%, "
                "index %+.2f %%%s\n",
                Entry::kName, Entry::kDim, static_cast<unsigned long long>(operations),
                spent.count() * 1e9 / static_cast<double>(operations), of_process, of_index,
                !sound     ? "  WRONG ANSWERS"
                : !bounded ? "  GROWS"
                           : "");
    std::fflush(stdout);
    return sound && bounded;
}

template <class... Entries>
bool churn_all(testing::Types<Entries...>, std::uint64_t operations, std::uint64_t seed) {
    Watchdog watchdog;
    // Warms up all structures, so that memory that a process takes once does not count as growth.
    ((void)Churn<Entries>(seed).check(), ...);
    const std::uint64_t each = operations / sizeof...(Entries);
    // Runs all structures, even if one fails.
    return (std::size_t{0} + ... + std::size_t{churn_one<Entries>(each, seed, watchdog)}) ==
           sizeof...(Entries);
}

} // namespace

bool churn(std::uint64_t operations, std::uint64_t seed) {
    return churn_all(test::Indexes(), operations, seed);
}

} // namespace throng::soak
