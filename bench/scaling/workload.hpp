// What is asked of a whole crowd, again and again, by different threads.
#pragma once

#include <throng/engine/core/executor.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace throng::bench {

/// A crowd, a question about all of it, and the latest answer. What it throws when it is refused is
/// std::runtime_error.
class Workload {
public:
    Workload() = default;
    Workload(const Workload&) = delete;
    Workload& operator=(const Workload&) = delete;
    virtual ~Workload() = default;

    /// Asks through a Batch that has kept its scratch from the last time, whoever the executor was.
    virtual void ask(Executor& executor) = 0;
    /// Asks the index itself. Only after ask(), which makes room for the answer.
    virtual void ask_directly() = 0;

    /// Wipes the answer out, so that nobody can pass it for his own.
    virtual void forget() = 0;
    /// Stands for the answer.
    [[nodiscard]] virtual std::uint64_t fingerprint() const = 0;
    /// There may be two right answers, by turns: which one it was.
    [[nodiscard]] virtual std::size_t phase() const noexcept { return 0; }
    /// Whether a sample of the answer is what looking at every agent finds.
    [[nodiscard]] virtual bool is_right() const = 0;

    [[nodiscard]] virtual std::size_t agents() const noexcept = 0;
};

/// The names that make_workload() knows, in a fixed order.
[[nodiscard]] std::span<const std::string_view> workload_names() noexcept;

/// For a uniform crowd of so many agents, in cells that suit the question. Throws
/// std::invalid_argument for an unknown name.
[[nodiscard]] std::unique_ptr<Workload> make_workload(std::string_view name, std::size_t dim,
                                                      std::size_t agents);

} // namespace throng::bench
