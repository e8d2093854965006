#include "match.hpp"

#include <throng/engine/crowd/crowd.hpp>

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include <malloc.h>

namespace throng::shootout {

namespace {

/// Up to this number of agents, all contenders keep their indexes in memory and are measured
/// alternately, so that a disturbance of the machine hits all of them.
constexpr std::size_t kMostTogether = 100'000;

constexpr std::size_t kMostRuns = 15, kFewestRuns = 3, kMostFrames = 120;
/// Frames fill three lines, and need many repetitions for their slowest hundredth.
constexpr double kFramesShare = 6.0;
/// A work that takes this many times the time for a line is measured only once.
constexpr double kLongLine = 4.0;
/// A work that would take this many times the time for a line is not begun: asking all questions
/// once, finding all pairs once, and following the crowd until questions are asked.
constexpr double kPatience = 10.0, kPairsPatience = 20.0, kBeginPatience = 100.0;

template <class Call>
double seconds_of(const Call& call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::size_t heap_in_use() {
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

const char* word_for(Kind kind) noexcept {
    switch (kind) {
    case Kind::peer:
        return "peer";
    case Kind::plain:
        return "plain";
    case Kind::ours:
        break;
    }
    return "ours";
}

} // namespace

template <std::size_t Dim>
Match<Dim>::Match(const Options& options, const std::vector<Entry>& entries, Forecast& forecast,
                  Result& result, SceneKind scene, std::size_t agents)
    : options_(options), entries_(entries), forecast_(forecast), result_(result), scene_(scene),
      agents_(agents), walkers_(scene, agents) {
    for (int frame = 0; frame < frames_before(); ++frame) {
        walkers_.walk();
    }
    Crowd<Dim> crowd;
    if (!crowd.update(walkers_.agents()).ok()) {
        throw std::runtime_error("the library refused a crowd");
    }
    questions_.emplace(walkers_, crowd, options.questions, options.sweeps(agents));
}

template <std::size_t Dim>
int Match<Dim>::frames_before() const noexcept {
    return agents_ <= kMostTogether ? 6 : agents_ <= 1'000'000 ? 2 : 1;
}

template <std::size_t Dim>
Line Match<Dim>::line_of(const Entry& entry, const Crew& crew, std::string_view work,
                         std::string_view way) const {
    Line line;
    line.subject = entry.name;
    line.kind = word_for(entry.kind);
    line.dim = Dim;
    line.scene = scene_;
    line.work = work;
    line.way = way;
    line.agents = agents_;
    line.threads = crew.threads;
    return line;
}

template <std::size_t Dim>
std::string Match<Dim>::key_of(const Line& line) const {
    return line.subject + '/' + std::to_string(Dim) + '/' + std::string(name_of(scene_)) + '/' +
           line.work + '/' + line.way + '/' + std::to_string(line.threads);
}

template <std::size_t Dim>
double Match<Dim>::bytes_of(const Contender& contender) const {
    const std::size_t told = contender.subject->bytes();
    return static_cast<double>(told != 0 ? told : contender.heap) / static_cast<double>(agents_);
}

template <std::size_t Dim>
void Match<Dim>::play(const Crew& crew) {
    std::vector<const Entry*> together;
    for (const Entry& entry : entries_) {
        if (!entry.template maker<Dim>() || !options_.wants(entry.name) ||
            agents_ > entry.most_agents || (crew.threads > 1 && !entry.threaded)) {
            continue;
        }
        if (too_slow_to_begin(entry, crew)) {
            write_too_slow(entry, crew);
        } else if (agents_ <= kMostTogether) {
            together.push_back(&entry);
        } else {
            play({&entry}, crew);
        }
    }
    play(std::move(together), crew);
}

template <std::size_t Dim>
void Match<Dim>::play(std::vector<const Entry*> entries, const Crew& crew) {
    if (entries.empty()) { return; }
    Contenders contenders;
    for (const Entry* entry : entries) {
        contenders.push_back({.entry = entry});
    }
    begin(contenders, crew);
    check_pairs(contenders, crew);
    ask_everything(contenders, crew);
    run_frames(contenders);
    for (const Contender& contender : contenders) {
        write_frames(contender, crew);
    }
}

template <std::size_t Dim>
bool Match<Dim>::too_slow_to_begin(const Entry& entry, const Crew& crew) const {
    const auto each =
        forecast_.each(key_of(line_of(entry, crew, "begin", entry.update_way)), agents_);
    const double updates = static_cast<double>(agents_) * (frames_before() + 1);
    return each && *each * updates > kBeginPatience * options_.seconds_per_line;
}

template <std::size_t Dim>
void Match<Dim>::begin(Contenders& contenders, const Crew& crew) {
    walkers_.restart();
    for (int frame = 0; frame <= frames_before(); ++frame) {
        if (frame > 0) { walkers_.walk(); }
        for (Contender& contender : contenders) {
            const std::size_t before = heap_in_use();
            const double seconds = seconds_of([&] {
                if (frame == 0) {
                    contender.subject = contender.entry->template maker<Dim>()(crew);
                }
                contender.subject->update(walkers_);
            });
            contender.heap += heap_in_use() - before;
            if (frame > 0) { continue; }
            forecast_.note(
                key_of(line_of(*contender.entry, crew, "begin", contender.entry->update_way)),
                agents_, seconds / static_cast<double>(agents_));
        }
    }
}

template <std::size_t Dim>
void Match<Dim>::check_pairs(Contenders& contenders, const Crew& crew) {
    if (!options_.does("pairs") && !options_.does("frame")) { return; }
    for (Contender& contender : contenders) {
        if (contender.entry->only_updates ||
            !contender.subject->offers(Skill::pairs, Way::single)) {
            continue;
        }
        contender.asked_for_pairs = true;
        const std::string key = key_of(line_of(*contender.entry, crew, "pairs", ""));
        const auto each = forecast_.each(key, agents_);
        // Figures for a million agents are the most important ones, so their pairs may take longer.
        const double patience = agents_ < 1'000'000 ? kPairsPatience : 3.0 * kPairsPatience;
        if (each && *each * static_cast<double>(agents_) > patience * options_.seconds_per_line) {
            continue;
        }
        PairTally tally(Answers::Purpose::checking);
        const double seconds = seconds_of([&] { contender.subject->pairs(tally); });
        forecast_.note(key, agents_, seconds / static_cast<double>(agents_));
        contender.pairs = tally.count() == questions_->pairs && tally.sum() == questions_->pair_sum
                              ? Verdict::right
                              : Verdict::wrong;
    }
}

template <std::size_t Dim>
void Match<Dim>::ask_everything(Contenders& contenders, const Crew& crew) {
    const Questions<Dim>& q = *questions_;
    for (const Way way : {Way::single, Way::batch}) {
        // Single calls run on one thread.
        if (way == Way::single && crew.threads > 1) { continue; }
        ask(contenders, crew, "box", Skill::boxes, way, "", q.boxes);
        ask(contenders, crew, "box", Skill::boxes, way, "_shuffled", q.shuffled);
        ask(contenders, crew, "large", Skill::boxes, way, "", q.large);
        ask(contenders, crew, "ray", Skill::segments, way, "", q.segments);
    }
    if (crew.threads == 1) {
        for (const SweptBoxes<Dim>& swept : q.sweep) {
            ask(contenders, crew, "sweep", Skill::boxes, Way::single, "", swept.asked,
                static_cast<double>(swept.half));
        }
    }
    if (!options_.does("radius") && !options_.does("nearest")) { return; }
    for (Contender& contender : contenders) {
        if (!contender.entry->only_updates) { contender.subject->prepare_centres(walkers_); }
    }
    for (const Way way : {Way::single, Way::batch}) {
        if (way == Way::single && crew.threads > 1) { continue; }
        ask(contenders, crew, "radius", Skill::balls, way, "", q.balls);
        ask(contenders, crew, "nearest", Skill::nearest, way, "", q.points);
    }
}

template <std::size_t Dim>
template <class Question>
void Match<Dim>::ask(Contenders& contenders, const Crew& crew, std::string_view work, Skill skill,
                     Way way, std::string_view suffix, const Asked<Question>& asked, double size) {
    if (!options_.does(std::string(work))) { return; }
    const std::string way_name =
        std::string(way == Way::single ? "single" : "batch") + std::string(suffix);
    const std::span<const Question> questions(asked.questions);
    const auto units = static_cast<double>(questions.size());
    // The time grows with the hits, so forecasts from smaller crowds are per question and hit.
    const double effort = units + static_cast<double>(asked.truth.hits);
    struct Turn {
        Contender* contender;
        Line line;
        double spent = 0.0;
        bool done = false;
    };
    std::vector<Turn> turns;
    for (Contender& contender : contenders) {
        if (contender.entry->only_updates || !contender.subject->offers(skill, way) ||
            (work == "sweep" && !contender.entry->sweeps)) {
            continue;
        }
        Turn turn{&contender, line_of(*contender.entry, crew, work, way_name)};
        Line& line = turn.line;
        line.asked = questions.size();
        line.size = size;
        line.units = units;
        // Boxes of each size have a forecast of their own.
        const std::string key = key_of(line) + '/' + std::to_string(size);
        const auto each = forecast_.each(key, agents_);
        if (each && *each * effort > kPatience * options_.seconds_per_line) {
            line.verdict = Verdict::too_slow;
            result_.add(line);
            continue;
        }
        Answers answers(Answers::Purpose::checking, agents_);
        const double seconds = seconds_of([&] { contender.subject->ask(questions, way, answers); });
        forecast_.note(key, agents_, seconds / effort);
        line.hits = answers.hits();
        line.verdict = questions_->right(asked, answers) ? Verdict::right : Verdict::wrong;
        if constexpr (std::is_same_v<Question, Box<Dim>>) {
            if (work == "sweep") { line.path = contender.subject->path_of(questions.front()); }
        }
        if (line.verdict == Verdict::wrong) {
            result_.add(line);
            continue;
        }
        turns.push_back(std::move(turn));
    }
    for (std::size_t round = 0; round < kMostRuns; ++round) {
        for (Turn& turn : turns) {
            if (turn.done) { continue; }
            Answers answers(Answers::Purpose::timing, agents_);
            const double seconds =
                seconds_of([&] { turn.contender->subject->ask(questions, way, answers); });
            if (answers.hits() != turn.line.hits) { turn.line.verdict = Verdict::wrong; }
            turn.line.times.add(seconds);
            turn.spent += seconds;
            turn.done =
                turn.spent >= options_.seconds_per_line &&
                (round + 1 >= kFewestRuns || turn.spent >= kLongLine * options_.seconds_per_line);
        }
    }
    for (const Turn& turn : turns) {
        result_.add(turn.line);
    }
}

template <std::size_t Dim>
bool Match<Dim>::is_as_before(std::size_t frame, std::uint64_t pairs) {
    if (pairs_of_frame_.size() < frame) { pairs_of_frame_.push_back(pairs); }
    return pairs_of_frame_[frame - 1] == pairs;
}

template <std::size_t Dim>
void Match<Dim>::run_frames(Contenders& contenders) {
    if (!options_.does("update") && !options_.does("pairs") && !options_.does("frame")) { return; }
    for (std::size_t frame = 1; frame <= kMostFrames; ++frame) {
        walkers_.walk();
        for (Contender& contender : contenders) {
            if (contender.done) { continue; }
            const double update = seconds_of([&] { contender.subject->update(walkers_); });
            contender.update.add(update);
            contender.spent += update;
            if (contender.pairs == Verdict::right) {
                PairTally tally(Answers::Purpose::timing);
                const double find = seconds_of([&] { contender.subject->pairs(tally); });
                contender.find.add(find);
                contender.frame.add(update + find);
                contender.spent += find;
                if (!is_as_before(frame, tally.count())) { contender.pairs = Verdict::wrong; }
            }
            contender.done =
                contender.spent >= kFramesShare * options_.seconds_per_line &&
                (frame >= kFewestRuns ||
                 contender.spent >= kFramesShare * kLongLine * options_.seconds_per_line);
        }
    }
}

template <std::size_t Dim>
void Match<Dim>::write_frames(const Contender& contender, const Crew& crew) {
    const double bytes = bytes_of(contender);
    const auto write = [&](std::string_view work, std::string_view way, Verdict verdict,
                           const Times& times) {
        if (!options_.does(std::string(work))) { return; }
        Line line = line_of(*contender.entry, crew, work, way);
        line.asked = agents_;
        line.units = static_cast<double>(agents_);
        line.times = times;
        line.verdict = verdict;
        if (work != "pairs") { line.bytes = bytes; }
        if (work != "update") { line.hits = questions_->pairs; }
        result_.add(line);
    };
    write("update", contender.entry->update_way, Verdict::unchecked, contender.update);
    if (!contender.asked_for_pairs) { return; }
    write("pairs", "", contender.pairs, contender.find);
    write("frame", "", contender.pairs, contender.frame);
}

template <std::size_t Dim>
void Match<Dim>::write_too_slow(const Entry& entry, const Crew& crew) {
    const auto subject = entry.template maker<Dim>()(crew);
    const auto write = [&](std::string_view work, std::string_view way) {
        if (!options_.does(std::string(work))) { return; }
        Line line = line_of(entry, crew, work, way);
        line.verdict = Verdict::too_slow;
        result_.add(line);
    };
    write("update", entry.update_way);
    if (entry.only_updates) { return; }
    if (subject->offers(Skill::pairs, Way::single)) {
        write("pairs", "");
        write("frame", "");
    }
    for (const Way way : {Way::single, Way::batch}) {
        if (way == Way::single && crew.threads > 1) { continue; }
        const std::string name = way == Way::single ? "single" : "batch";
        if (subject->offers(Skill::boxes, way)) {
            write("box", name);
            write("box", name + "_shuffled");
            write("large", name);
        }
        if (subject->offers(Skill::segments, way)) { write("ray", name); }
        if (subject->offers(Skill::balls, way)) { write("radius", name); }
        if (subject->offers(Skill::nearest, way)) { write("nearest", name); }
    }
}

template class Match<2>;
template class Match<3>;

} // namespace throng::shootout
