// Calls about a whole crowd, repeated by different teams.
#pragma once

#include <throng/engine/core/executor.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace throng::bench {

/// The index that is changed and asked.
enum class IndexKind : std::uint8_t {
    grid,  ///< RowGrid
    crowd, ///< Crowd
};
[[nodiscard]] const char* to_string(IndexKind kind) noexcept;

/// The agents and statics in the index.
enum class PopulationKind : std::uint8_t {
    uniform,   ///< one agent for each unit of area or volume
    clustered, ///< the same world; nine in ten agents are in a hundred clusters
    mixed,     ///< uniform, with one agent in a thousand 32 times as large; and statics,
               ///< one for ten agents
};
[[nodiscard]] const char* to_string(PopulationKind kind) noexcept;

/// The conditions of a workload.
struct Setting {
    IndexKind index = IndexKind::grid;
    PopulationKind population = PopulationKind::uniform;
    std::size_t dim = 2, agents = 0;

    /// A grid has no statics, and its searches are as wide as its largest agent.
    [[nodiscard]] bool makes_sense() const noexcept {
        return index == IndexKind::crowd || population != PopulationKind::mixed;
    }
};

/// The least that a part of a call, one loop or several, reads and writes if no cache holds it.
/// Writes count twice, because memory is read a line at a time before it is written.
struct Phase {
    std::string_view name;
    double bytes = 0.0;
};
inline constexpr double kReadWord = 4.0, kWrittenWord = 8.0; ///< bytes for 32 bits

/// A population in an index, a call about all of it, and the last answer. Throws std::runtime_error
/// if a call is refused.
class Workload {
public:
    Workload() = default;
    Workload(const Workload&) = delete;
    Workload& operator=(const Workload&) = delete;
    virtual ~Workload() = default;

    /// Makes the call on any executor, with the scratch memory of the last call.
    virtual void ask(Executor& executor) = 0;
    /// Whether the index can answer the same without a Batch, by ask_directly(). That may only
    /// follow ask(), which makes room for the answer.
    [[nodiscard]] virtual bool has_direct_form() const noexcept { return false; }
    virtual void ask_directly() {}

    /// Clears the answer, so that an old answer does not pass for a new one.
    virtual void forget() = 0;
    /// A hash of the answer.
    [[nodiscard]] virtual std::uint64_t fingerprint() const = 0;
    /// There may be two alternating right answers; the phase tells which one is due.
    [[nodiscard]] virtual std::size_t phase() const noexcept { return 0; }
    /// Whether a sample of the answer agrees with a test of every agent and static.
    [[nodiscard]] virtual bool is_right() = 0;

    [[nodiscard]] virtual std::size_t agents() const noexcept = 0;

    /// The memory traffic of a call, in the order of its loops; the last phase is for all further
    /// loops. Only after ask(), since it depends on the length of the answer.
    [[nodiscard]] virtual std::vector<Phase> phases() const = 0;
    /// The bytes that a call uses: if caches hold them all, memory is no limit.
    [[nodiscard]] virtual double working_set() const = 0;
};

/// The names that make_workload() knows, in a fixed order.
[[nodiscard]] std::span<const std::string_view> workload_names() noexcept;

/// Makes a workload for a population, in cells that suit the question. Throws std::invalid_argument
/// for an unknown name.
[[nodiscard]] std::unique_ptr<Workload> make_workload(std::string_view name,
                                                      const Setting& setting);

} // namespace throng::bench
