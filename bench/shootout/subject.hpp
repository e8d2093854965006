// An index under measurement, the library's or a peer's, behind one interface.
#pragma once

#include "answers.hpp"
#include "walkers.hpp"

#include <throng/engine/agents/box.hpp>
#include <throng/engine/agents/point.hpp>
#include <throng/engine/core/executor.hpp>
#include <throng/engine/shapes/ball.hpp>
#include <throng/engine/shapes/segment.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace throng::shootout {

/// The kinds of question that an index may answer.
enum class Skill : std::uint8_t { pairs, boxes, balls, nearest, segments };
enum class Way : std::uint8_t {
    single, ///< one call for each question
    batch,  ///< one call for all questions
};

inline constexpr std::size_t kNearest = 8;

/// One virtual call takes a whole array of questions, so that the interface costs nothing.
///
/// Questions are the library's: agents that overlap a box, agents whose centres lie in a ball,
/// agents with the nearest centres, agents that a segment hits. An index that tests more coarsely,
/// or rounds differently, repeats the library's own test on its hits.
template <std::size_t Dim>
class Subject {
public:
    Subject() = default;
    Subject(const Subject&) = delete;
    Subject& operator=(const Subject&) = delete;
    virtual ~Subject() = default;

    /// Takes the new positions of all agents. The walkers outlive the subject, and do not walk
    /// before the questions about these positions.
    virtual void update(const Walkers<Dim>& walkers) = 0;

    [[nodiscard]] virtual bool offers(Skill skill, Way way) const noexcept = 0;

    virtual void pairs(PairTally&) const { refuse(); }
    virtual void ask(std::span<const Box<Dim>>, Way, Answers&) { refuse(); }
    virtual void ask(std::span<const Ball<Dim>>, Way, Answers&) { refuse(); }
    virtual void ask(std::span<const Segment<Dim>>, Way, Answers&) { refuse(); }
    /// Finds the kNearest centres for each point.
    virtual void ask(std::span<const Point<Dim>>, Way, Answers&) { refuse(); }

    /// Called before questions about centres, and not timed, for indexes that answer those from a
    /// second structure, which frames do not need.
    virtual void prepare_centres(const Walkers<Dim>&) {}

    /// The bytes of the index; 0 if only the heap can tell.
    [[nodiscard]] virtual std::size_t bytes() const { return 0; }
    /// The search plan for a box, if the index has several.
    [[nodiscard]] virtual std::string_view path_of(const Box<Dim>&) const { return ""; }

private:
    [[noreturn]] static void refuse() { throw std::logic_error("asked for what it cannot do"); }
};

/// The threads that do the work.
struct Crew {
    Executor& executor;
    std::size_t threads;
};

enum class Kind : std::uint8_t { ours, peer, plain };

template <std::size_t Dim>
using Maker = std::function<std::unique_ptr<Subject<Dim>>(const Crew&)>;

struct Entry {
    Kind kind;
    std::string name;
    std::string update_way;    ///< see docs/figures/shootout.md
    std::string version;       ///< of a peer's library
    Maker<2> in_plane;         ///< null if it has no plane
    Maker<3> in_space;         ///< null if it has no space
    bool threaded = false;     ///< more threads make some work faster
    bool only_updates = false; ///< another entry of this name has the questions
    bool sweeps = false;       ///< asked with boxes of all sizes
    std::size_t most_agents = std::numeric_limits<std::size_t>::max();

    template <std::size_t Dim>
    [[nodiscard]] const Maker<Dim>& maker() const noexcept {
        if constexpr (Dim == 2) {
            return in_plane;
        } else {
            return in_space;
        }
    }
};

/// All contenders of this build, the library's own first.
[[nodiscard]] std::vector<Entry> roster();
/// Peers that were not found at build time.
[[nodiscard]] std::vector<std::string> lacking();

} // namespace throng::shootout
