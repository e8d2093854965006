// Questions about a whole crowd, asked again and again by different teams.
#pragma once

#include <throng/engine/core/executor.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace throng::bench {

/// A crowd, a question about all of it, and the latest answer. Throws std::runtime_error if a call
/// is refused.
class Workload {
public:
    Workload() = default;
    Workload(const Workload&) = delete;
    Workload& operator=(const Workload&) = delete;
    virtual ~Workload() = default;

    /// Asks through a Batch that has kept its scratch from the last call, on whichever executor.
    virtual void ask(Executor& executor) = 0;
    /// Asks the index itself. Only after ask(), which makes room for the answer.
    virtual void ask_directly() = 0;

    /// Clears the answer, so that it cannot pass for the next one.
    virtual void forget() = 0;
    /// A fingerprint of the answer.
    [[nodiscard]] virtual std::uint64_t fingerprint() const = 0;
    /// There may be two right answers, by turns: the phase says which one it is.
    [[nodiscard]] virtual std::size_t phase() const noexcept { return 0; }
    /// Whether a sample of the answer agrees with a look at every agent.
    [[nodiscard]] virtual bool is_right() const = 0;

    [[nodiscard]] virtual std::size_t agents() const noexcept = 0;
};

/// The names that make_workload() knows, in a fixed order.
[[nodiscard]] std::span<const std::string_view> workload_names() noexcept;

/// For a uniform crowd of `agents` agents, in cells that suit the question. Throws
/// std::invalid_argument for an unknown name.
[[nodiscard]] std::unique_ptr<Workload> make_workload(std::string_view name, std::size_t dim,
                                                      std::size_t agents);

} // namespace throng::bench
