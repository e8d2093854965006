// The job that the program was started in, if it was started by MPI.
#pragma once

#include <throng/distributed/ranks.hpp>
#include <throng/engine/core/function_ref.hpp>

#include <memory>

namespace throng::bench {

/// MPI from the beginning of this object to its end, where a launcher has started the program as a
/// rank of a job.
class Job {
public:
    /// Throws std::runtime_error where there is a launcher and the program was built without MPI:
    /// then each rank would take itself for the only one.
    Job(int& argc, char**& argv);
    ~Job();
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    /// The ranks of the job; null if no launcher has started it.
    [[nodiscard]] Ranks* ranks() noexcept { return ranks_.get(); }
    [[nodiscard]] bool first() const noexcept { return ranks_ == nullptr || ranks_->rank() == 0; }

    /// Runs work on the first rank, while the others sleep, so that it has the machine for itself.
    void alone(FunctionRef<void()> work);

private:
    std::unique_ptr<Ranks> ranks_;
};

} // namespace throng::bench
