// Every order in which a writer and two readers may take the steps of SnapshotCore.
//
// A step is one atomic operation, or one look at a state. Steps follow one another here as if all
// threads agreed on their order. The acquires and releases make that possible, and ThreadSanitizer
// checks them in tests/threads.
#include <gtest/gtest.h>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace throng {
namespace {

/// The right way, or one with a mistake that must be found.
enum class Way : std::uint8_t {
    right,
    counts_after,
    keeps_count,
    writes_published,
    forgets_takers
};

constexpr std::size_t kReaders = 2;
constexpr std::size_t kSlots = 4; // numbered from 1
constexpr std::uint8_t kPublishes = 3;
constexpr std::uint8_t kAcquires = 2;

struct Reader {
    std::uint8_t at = 0, acquired = 0;
    std::uint8_t slot = 0, moving = 0; // what it holds; the count that it wants to move
    std::uint8_t frame = 0;            // the frame that it has seen there
    friend auto operator<=>(const Reader&, const Reader&) = default;
};

struct Writer {
    std::uint8_t at = 0, frames = 0;
    std::uint8_t slot = 1, published = 0; // the slot that it writes, and the published one
    std::uint8_t old = 0, takers = 0;     // of the word that it has replaced
    friend auto operator<=>(const Writer&, const Writer&) = default;
};

struct State {
    std::uint8_t number = 0, count = 0; // the word
    std::array<std::int8_t, kSlots + 1> holders{};
    std::array<std::uint8_t, kSlots + 1> frame{}; // 0 while it is being written
    Reader reader[kReaders];
    Writer writer;
    friend auto operator<=>(const State&, const State&) = default;
};

struct Run {
    Way way;
    unsigned move_at;
    bool sound = true;
};

void step_writer(Run& run, State& state) {
    Writer& writer = state.writer;
    switch (writer.at) {
    case 0: // spare(): one slot after the other
        if ((writer.slot != writer.published || run.way == Way::writes_published) &&
            state.holders[writer.slot] == 0) {
            writer.at = 1;
        } else if (++writer.slot > kSlots) {
            run.sound = false; // a holder is counted that does not exist
        }
        return;
    case 1:
        state.frame[writer.slot] = 0;
        writer.at = 2;
        return;
    case 2:
        state.frame[writer.slot] = ++writer.frames;
        writer.at = 3;
        return;
    case 3: // publish(): the exchange
        writer.old = state.number;
        writer.takers = state.count;
        state.number = writer.slot;
        state.count = 0;
        writer.at = 4;
        return;
    default: // count_takers()
        if (run.way != Way::forgets_takers) {
            state.holders[writer.old] =
                static_cast<std::int8_t>(state.holders[writer.old] + writer.takers);
        }
        state.holders[0] = 0; // which is no slot
        const std::uint8_t published = writer.slot;
        writer = Writer{0, writer.frames, 1, published, 0, 0};
        return;
    }
}

void add(State& state, std::uint8_t slot, int count) {
    state.holders[slot] = static_cast<std::int8_t>(slot == 0 ? 0 : state.holders[slot] + count);
}

/// The reader's part of move_count(): adds the count to the slot, takes it from the word, and takes
/// it back from the slot if the word has changed.
void step_moving(Run& run, State& state, Reader& reader) {
    const bool late = run.way == Way::counts_after;
    switch (reader.at) {
    case 1:
        if (!late) { add(state, reader.slot, reader.moving); }
        reader.at = 2;
        return;
    case 2: {
        const bool same = state.number == reader.slot && state.count == reader.moving;
        if (same) { state.count = 0; }
        if (same != late || run.way == Way::keeps_count) { reader.moving = 0; }
        reader.at = 3;
        return;
    }
    default:
        add(state, reader.slot, late ? reader.moving : -reader.moving);
        reader.moving = 0;
        reader.at = 4;
        return;
    }
}

void step_reader(Run& run, State& state, Reader& reader) {
    switch (reader.at) {
    case 0: // acquire()
        reader.slot = state.number;
        ++state.count;
        ++reader.acquired;
        reader.moving = state.count >= run.move_at ? state.count : std::uint8_t{0};
        reader.at = reader.moving != 0 ? 1 : 4;
        return;
    case 4: // two looks at what must not change
    case 5: {
        const std::uint8_t seen = state.frame[reader.slot];
        const bool fits = reader.at == 4 ? seen != 0 : seen == reader.frame;
        run.sound = run.sound && (fits || reader.slot == 0);
        reader.frame = seen;
        ++reader.at;
        return;
    }
    case 6: // let_go()
        add(state, reader.slot, -1);
        reader = Reader{0, reader.acquired, 0, 0, 0};
        return;
    default:
        step_moving(run, state, reader);
        return;
    }
}

/// When no thread is active any more, no reader is counted.
bool is_settled(const State& state) {
    for (std::size_t slot = 1; slot <= kSlots; ++slot) {
        if (state.holders[slot] + (slot == state.number ? state.count : 0) != 0) { return false; }
    }
    return true;
}

/// The number of states; 0 if something is wrong in one of them.
std::size_t explore(Way way, unsigned move_at) {
    Run run{way, move_at};
    std::set<State> known{State{}};
    std::vector<State> waiting{State{}};
    while (!waiting.empty() && run.sound) {
        const State state = waiting.back();
        waiting.pop_back();
        bool over = true;
        const auto go_on = [&](const auto& step) {
            State next = state;
            step(next);
            over = false;
            if (known.insert(next).second) { waiting.push_back(next); }
        };
        for (std::size_t i = 0; i < kReaders; ++i) {
            const Reader& reader = state.reader[i];
            if (reader.at == 0 && reader.acquired == kAcquires) { continue; }
            go_on([&](State& next) { step_reader(run, next, next.reader[i]); });
        }
        if (state.writer.at != 0 || state.writer.frames < kPublishes) {
            go_on([&](State& next) { step_writer(run, next); });
        }
        if (over) { run.sound = run.sound && is_settled(state); }
    }
    return run.sound ? known.size() : 0;
}

TEST(SnapshotInterleavings, NoStateIsWrittenThatIsHeldAndNoReaderIsForgotten) {
    for (const unsigned move_at : {1u, 2u, 3u, 100u}) {
        EXPECT_GT(explore(Way::right, move_at), 1'000u) << move_at;
    }
}

TEST(SnapshotInterleavings, MistakesAreFound) {
    EXPECT_EQ(explore(Way::counts_after, 1), 0u);
    EXPECT_EQ(explore(Way::keeps_count, 1), 0u);
    EXPECT_EQ(explore(Way::writes_published, 100), 0u);
    EXPECT_EQ(explore(Way::forgets_takers, 100), 0u);
}

} // namespace
} // namespace throng
