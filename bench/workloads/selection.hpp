// Which workloads are measured, and under which conditions: options that two programs have.
#pragma once

#include "workload.hpp"

#include "../measure/arguments.hpp"

#include <throng/engine/core/function_ref.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace throng::bench {

/// All combinations of these that make sense.
struct Selection {
    Selection(); ///< all workloads; uniform populations of a million, in both indexes

    std::vector<std::size_t> agents, dims;
    std::vector<IndexKind> indexes;
    std::vector<PopulationKind> populations;
    std::vector<std::string> workloads;

    /// Whether the current option is one of these; then its value is taken. Throws
    /// std::invalid_argument if that makes no sense.
    bool take(Arguments& arguments);
    /// The lines of the usage for these options.
    [[nodiscard]] static const char* usage() noexcept;

    void for_each(FunctionRef<void(const std::string& workload, const Setting&)> body) const;
};

} // namespace throng::bench
