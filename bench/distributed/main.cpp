// Crowds over the ranks of a job, in this process or of MPI: whether their results are those of one
// grid, what they send, how much memory they take, and what an update costs. See
// docs/distributed.md.
#include "../measure/arguments.hpp"
#include "../measure/statistics.hpp"
#include "around.hpp"
#include "balance.hpp"
#include "box.hpp"
#include "job.hpp"
#include "long_run.hpp"
#include "model.hpp"
#include "replay.hpp"
#include "scaling.hpp"
#include "timing.hpp"
#include "walk.hpp"

#include <throng/simd/isa/isa.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

namespace {

using namespace throng;
using namespace throng::bench;

constexpr int kBadUsage = 2, kNoSuchIsa = 77;
constexpr const char* kUsage = R"(usage: throng_ranks [<option>...]

Runs a crowd over ranks that are threads of this process, one at a time; or over those of a job, where
mpirun or another launcher of MPI has started it.

  --ranks <n>     of this process (4)
  --agents <n>    (200000)
  --steps <n>     (50)
  --seed <n>      which rank goes on when, and in what order messages come (1)
  --hash          prints a number for all that happened
  --plain         the same of one RowGrid, without ranks
  --count         what steady steps send, against movers and ghosts found by brute force
  --memory        bytes an agent, and besides agents
  --clustered     half of the agents are in four places
  --balance       how even work is, cut by heads and by work
  --cost          times updates: one rank against a plain grid, a brick of 64 against one
  --around        times calls of one rank in a periodic world, against one with borders
  --weak          times steps: one rank, and all with as many agents each. By MPI, as the next two
  --threads       times steps: one rank with as many threads as there are ranks, and the ranks
  --kill          the last rank kills itself in the middle of the run
  --checkpoints <folder>
                  saves the run there now and then. If a checkpoint is there, goes on from it, as begun with
                  the same agents and steps. By MPI, as the one before
  --model         reckons times of steps from costs that it measures; by MPI, against times of this job
  --box           times lists of neighbours in a box of atoms, as bench/distributed/lammps.sh does for LAMMPS
  --write <file>  writes that box for LAMMPS
  --help

Exits with 1 if --hash and --plain differ, or --count, --memory, --cost, --weak, --threads, --model or --balance
find more than they may, or --around other answers than a Crowd.
)";

struct Options {
    std::uint32_t ranks = 4;
    std::size_t agents = 200'000;
    int steps = 50;
    std::uint64_t seed = 1;
    bool hash = false, plain = false, count = false, memory = false, cost = false, around = false,
         help = false;
    bool clustered = false, balance = false;
    bool weak = false, threads = false, kill = false, model = false, box = false;
    std::string file, checkpoints;

    [[nodiscard]] bool in_this_process() const {
        return count || memory || cost || balance || around;
    }
    [[nodiscard]] bool by_mpi() const { return weak || threads || kill || !checkpoints.empty(); }
};

std::uint64_t plain_hash(const Options& options) {
    const Walk world(options.agents, options.clustered);
    const auto settings = world.settings();
    RowGrid<2> grid;
    expect_ok(grid.configure(settings.bounds, settings.cell));
    Batch<2> batch;
    std::vector<GlobalId> ids;
    std::vector<Point<2>> places, velocities;
    for (std::size_t i = 0; i < options.agents; ++i) {
        ids.push_back(i);
        places.push_back(world.place(i));
        velocities.push_back(Walk::velocity(i));
    }
    std::uint64_t hash = 0;
    Hits near;
    for (int step = 0; step < options.steps; ++step) {
        expect_ok(grid.update(agents_of(places)));
        expect_ok(batch.neighbours(grid, {Walk::kReach}, near, Order::ids));
        hash += walk({ids, places, velocities, ids.size()}, near);
    }
    return hash;
}

/// The distance from a place to the cells of a brick, on the axis where it is largest.
double distance(const Point<2>& place, const GridShape<2>& shape, const Brick<2>& brick) {
    double far = 0.0;
    for (std::size_t a = 0; a < 2; ++a) {
        const double size = 1.0 / double{shape.inverse_cell[a]};
        const std::uint32_t past = brick.first[a] + brick.cells[a];
        if (brick.first[a] != 0) {
            far = std::max(far, shape.origin[a] + size * brick.first[a] - place[a]);
        }
        if (past != shape.cells[a]) {
            far = std::max(far, place[a] - shape.origin[a] - size * past);
        }
    }
    return far;
}

/// Sums over all steps but the first: what ranks sent, and how much they had to send.
struct Count {
    std::uint64_t movers = 0, ghosts = 0, sent = 0, messages = 0, agreements = 0, routes = 0;
    std::uint64_t owned = 0, copies = 0; ///< at the end
    double most_an_agent = 0.0;          ///< bytes, on any rank
    std::size_t most_besides = 0;        ///< heap for cuts and neighbours
};

std::uint64_t run_ranks(const Options& options, Count& count) {
    const Walk world(options.agents, options.clustered);
    std::uint64_t hash = 0;
    ThreadRanks job(options.ranks, options.seed);
    std::vector<RankTraffic> before(options.ranks);
    job.run([&](Ranks& ranks) {
        const std::uint32_t here = ranks.rank();
        Walking walking(ranks, world);
        std::vector<Brick<2>> bricks;
        for (std::uint32_t rank = 0; rank < options.ranks; ++rank) {
            bricks.push_back(walking.crowd.cuts().brick_of(rank));
        }
        for (int step = 0; step < options.steps; ++step) {
            if (step == 1) { before[here] = job.traffic()[here]; }
            for (std::size_t i = 0; options.count && step > 0 && i < walking.mine.owned(); ++i) {
                const Point<2>& place = walking.mine.positions[i];
                const std::uint32_t owner = walking.crowd.owner_of(place);
                count.movers += owner != here ? 1 : 0;
                for (std::uint32_t rank = 0; rank < options.ranks; ++rank) {
                    if (rank == owner || rank == here || bricks[rank].empty()) { continue; }
                    const double far = distance(place, walking.crowd.shape(), bricks[rank]);
                    count.ghosts += far <= Walk::kReach ? 1 : 0;
                }
            }
            walking.update();
            walking.step();
        }
        const RankTraffic& after = job.traffic()[here];
        count.sent += after.bytes - before[here].bytes;
        count.messages += after.messages - before[here].messages;
        count.agreements += after.agreements - before[here].agreements;
        count.routes += after.routes - before[here].routes;
        count.owned += walking.mine.owned();
        count.copies += walking.mine.ghosts();
        const std::size_t bytes = walking.crowd.memory() + walking.mine.memory();
        if (walking.mine.owned() != 0) {
            count.most_an_agent =
                std::max(count.most_an_agent,
                         static_cast<double>(bytes) / static_cast<double>(walking.mine.owned()));
        }
        count.most_besides = std::max(count.most_besides, walking.crowd.cuts().memory());
        hash += walking.hash;
    });
    return hash;
}

/// Prints a figure, and returns whether it is within its limit.
bool within(const char* what, double figure, double limit) {
    std::printf("%s: %.3f (at most %.2f)%s\n", what, figure, limit,
                figure <= limit ? "" : ": TOO MUCH");
    return figure <= limit;
}

bool print_count(const Options& options, const Count& count) {
    const auto steps = static_cast<double>(options.steps - 1) * options.ranks;
    // In the plane an agent is an id, a place and a velocity: 24 bytes.
    const double wanted = 24.0 * static_cast<double>(count.movers + count.ghosts);
    std::printf(
        "%llu movers, %llu ghosts, %llu bytes in %llu messages; %.1f messages and %.2f "
        "agreements a rank and step, %llu routes\n",
        static_cast<unsigned long long>(count.movers),
        static_cast<unsigned long long>(count.ghosts), static_cast<unsigned long long>(count.sent),
        static_cast<unsigned long long>(count.messages),
        static_cast<double>(count.messages) / steps, static_cast<double>(count.agreements) / steps,
        static_cast<unsigned long long>(count.routes));
    const double rest =
        static_cast<double>(count.sent) - 64.0 * static_cast<double>(count.messages);
    const bool bytes = within("bytes less 64 a message, over those of movers and ghosts",
                              wanted == 0.0 ? 0.0 : rest / wanted, 1.02);
    const bool agreements =
        within("agreements a rank and step", static_cast<double>(count.agreements) / steps, 2.0);
    return within("routes", static_cast<double>(count.routes), 0.0) && bytes && agreements;
}

bool print_memory(const Options& options, const Count& count) {
    std::printf("%.2f %% ghosts\n",
                100.0 * static_cast<double>(count.copies) / static_cast<double>(count.owned));
    const bool agents = within("bytes an owned agent, on any rank", count.most_an_agent, 110.0);
    return within("bytes of cuts, for each rank of the job",
                  static_cast<double>(count.most_besides) / options.ranks, 100.0) &&
           agents;
}

/// Times of updates of a share and of a plain grid with the same agents, alternately.
struct Costs {
    std::vector<double> ours, plain;
    [[nodiscard]] double ratio() const { return median(ours) / median(plain); }
};

void time_updates(Ranks& job, const Options& options, std::size_t agents, Costs& costs) {
    const Walk world(agents);
    Timed ranks(job);
    Walking walking(ranks, world);
    RowGrid<2> plain;
    for (int step = 0; step < options.steps; ++step) {
        double ours = 0.0, alone = 0.0;
        const auto update = [&] {
            const double apart = ranks.seconds;
            const auto start = Clock::now();
            walking.update();
            ours = seconds_since(start) - (ranks.seconds - apart);
        };
        const auto update_plain = [&] {
            const std::vector<Point<2>> owned(
                walking.mine.positions.begin(),
                walking.mine.positions.begin() + static_cast<std::ptrdiff_t>(walking.mine.owned()));
            if (step == 0) {
                expect_ok(plain.use(walking.crowd.local().shape(), walking.crowd.local().kind()));
            }
            const auto start = Clock::now();
            expect_ok(plain.update(agents_of(owned)));
            alone = seconds_since(start);
        };
        // The two take turns, because the second of them finds the agents in the cache.
        if (step % 2 == 0) {
            update();
            update_plain();
        } else {
            update_plain();
            update();
        }
        if (step > 1) { // before that, arrays grow
            costs.ours.push_back(ours);
            costs.plain.push_back(alone);
        }
        walking.step();
    }
}

bool print_costs(const Options& options) {
    Costs alone, brick;
    OneRank one;
    time_updates(one, options, options.agents, alone);
    // Each brick is timed alone, with the messages that it got in a run of all bricks, as if it had
    // a processor and its caches for itself.
    const std::size_t agents = 4 * options.agents;
    std::vector<Told> told(64);
    ThreadRanks job(64, options.seed);
    job.run([&](Ranks& ranks) {
        const Walk world(agents);
        Recorder recorder(ranks, told[ranks.rank()]);
        Walking walking(recorder, world);
        for (int step = 0; step < options.steps; ++step) {
            walking.update();
            walking.step();
        }
    });
    for (const Told& of_rank : told) {
        Replay replay(of_rank);
        time_updates(replay, options, agents, brick);
    }
    std::printf("one rank: %.2f ms, a plain grid %.2f ms; one of 64 bricks: %.3f ms, a plain grid "
                "of as many agents %.3f ms\n",
                1e3 * median(alone.ours), 1e3 * median(alone.plain), 1e3 * median(brick.ours),
                1e3 * median(brick.plain));
    const bool fine = within("one rank over a plain grid", alone.ratio(), 1.02);
    return within("one of 64 bricks over a plain grid", brick.ratio(), 1.5) && fine;
}

Options parse(std::span<const char* const> all) {
    Options options;
    for (Arguments arguments(all); arguments.next();) {
        const std::string_view option = arguments.option();
        if (option == "--ranks") {
            options.ranks = arguments.number<std::uint32_t>(1, 4096);
        } else if (option == "--agents") {
            options.agents = arguments.number<std::size_t>(1, 100'000'000);
        } else if (option == "--steps") {
            options.steps = arguments.number(3, 1'000'000);
        } else if (option == "--seed") {
            options.seed = arguments.number<std::uint64_t>(0, 1'000'000'000);
        } else if (option == "--hash") {
            options.hash = true;
        } else if (option == "--plain") {
            options.plain = true;
        } else if (option == "--count") {
            options.count = true;
        } else if (option == "--memory") {
            options.memory = true;
        } else if (option == "--clustered") {
            options.clustered = true;
        } else if (option == "--balance") {
            options.balance = true;
        } else if (option == "--cost") {
            options.cost = true;
        } else if (option == "--around") {
            options.around = true;
        } else if (option == "--weak") {
            options.weak = true;
        } else if (option == "--threads") {
            options.threads = true;
        } else if (option == "--kill") {
            options.kill = true;
        } else if (option == "--checkpoints") {
            options.checkpoints = arguments.value();
        } else if (option == "--model") {
            options.model = true;
        } else if (option == "--box") {
            options.box = true;
        } else if (option == "--write") {
            options.file = arguments.value();
        } else if (option == "--help") {
            options.help = true;
        } else {
            arguments.unknown();
        }
    }
    return options;
}

bool run_by_mpi(const Options& options, Job& job) {
    if (options.in_this_process()) {
        throw std::invalid_argument(
            "--count, --memory, --balance, --cost and --around take ranks of one process");
    }
    Ranks& ranks = *job.ranks();
    bool fine = true;
    std::uint64_t plain = 0;
    if (options.plain) {
        job.alone([&] {
            plain = plain_hash(options);
            std::printf("%016llx\n", static_cast<unsigned long long>(plain));
        });
    }
    if (options.hash || options.kill || !options.checkpoints.empty()) {
        const std::uint64_t hash =
            run_to_its_end(ranks, {options.agents, options.clustered, options.steps,
                                   options.checkpoints, options.kill});
        if (job.first()) {
            std::printf("%016llx\n", static_cast<unsigned long long>(hash));
            if (options.plain && hash != plain) {
                std::printf("one grid comes to something else\n");
                fine = false;
            }
        }
    }
    if (options.weak) { fine = print_weak(job, options.agents, options.steps) && fine; }
    if (options.threads) { fine = print_threads(job, options.agents, options.steps) && fine; }
    if (options.model) { fine = print_model(job, options.agents, options.steps) && fine; }
    return fine;
}

bool run(const Options& options, Job& job) {
    if (!options.file.empty() && job.first()) { write_box(options.file, options.agents); }
    if (options.box) { print_box(job, options.agents, options.steps); }
    if (job.ranks() != nullptr) { return run_by_mpi(options, job); }
    if (options.by_mpi()) {
        throw std::invalid_argument(
            "--weak, --threads, --kill and --checkpoints take ranks of MPI: mpirun");
    }
    std::uint64_t plain = 0;
    if (options.plain) {
        plain = plain_hash(options);
        std::printf("%016llx\n", static_cast<unsigned long long>(plain));
    }
    bool fine = true;
    if (options.hash || options.count || options.memory) {
        Count count;
        const std::uint64_t hash = run_ranks(options, count);
        if (options.hash) { std::printf("%016llx\n", static_cast<unsigned long long>(hash)); }
        if (options.hash && options.plain && hash != plain) {
            std::printf("one grid comes to something else\n");
            fine = false;
        }
        if (options.count) { fine = print_count(options, count) && fine; }
        if (options.memory) { fine = print_memory(options, count) && fine; }
    }
    if (options.balance) {
        const Walk world(options.agents, options.clustered);
        fine = print_balance(options.ranks, world, options.seed) && fine;
    }
    if (options.cost) { fine = print_costs(options) && fine; }
    if (options.around) { fine = print_around(options.agents, options.steps) && fine; }
    if (options.model) { fine = print_model(job, options.agents, options.steps) && fine; }
    return fine;
}

} // namespace

int main(int argc, char** argv) {
    try {
        Job job(argc, argv);
        const Options options =
            parse(std::span<const char* const>(argv + 1, static_cast<std::size_t>(argc - 1)));
        if (options.help) {
            std::printf("%s", kUsage);
            return EXIT_SUCCESS;
        }
        if (throng::active_isa() == throng::Isa::none) {
            std::fprintf(stderr, "throng_ranks: this machine has no set of the build, or not the "
                                 "one in THRONG_FORCE_ISA\n");
            return kNoSuchIsa;
        }
        return run(options, job) ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const std::invalid_argument& error) {
        std::fprintf(stderr, "throng_ranks: %s\n%s", error.what(), kUsage);
        return kBadUsage;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "throng_ranks: %s\n", error.what());
        return EXIT_FAILURE;
    }
}
