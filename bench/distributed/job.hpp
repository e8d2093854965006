// The job in which MPI started the program, if MPI did.
#pragma once

#include <throng/distributed/ranks.hpp>
#include <throng/engine/core/function_ref.hpp>

#include <memory>

namespace throng::bench {

/// Initialises MPI for the lifetime of this object, if a launcher started the program as a rank of
/// a job.
class Job {
public:
    /// Throws std::runtime_error if there is a launcher, but the program was built without MPI:
    /// each rank would then behave like the only one.
    Job(int& argc, char**& argv);
    ~Job();
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    /// The ranks of the job; null if no launcher has started it.
    [[nodiscard]] Ranks* ranks() noexcept { return ranks_.get(); }
    [[nodiscard]] bool first() const noexcept { return ranks_ == nullptr || ranks_->rank() == 0; }

    /// Runs `work` on the first rank while the others sleep, so that it has the machine for itself.
    void alone(FunctionRef<void()> work);

private:
    std::unique_ptr<Ranks> ranks_;
};

} // namespace throng::bench
