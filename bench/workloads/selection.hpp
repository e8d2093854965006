// Options of two programs: which workloads to measure, and under which conditions.
#pragma once

#include "workload.hpp"

#include "../measure/arguments.hpp"

#include <throng/engine/core/function_ref.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace throng::bench {

/// All sensible combinations of these values.
struct Selection {
    Selection(); ///< all workloads; uniform populations of a million, in both indexes

    std::vector<std::size_t> agents, dims;
    std::vector<IndexKind> indexes;
    std::vector<PopulationKind> populations;
    std::vector<std::string> workloads;

    /// Whether the current option is one of these; then also takes its value. Throws
    /// std::invalid_argument for a bad value.
    bool take(Arguments& arguments);
    /// The lines about these options in the usage text.
    [[nodiscard]] static const char* usage() noexcept;

    void for_each(FunctionRef<void(const std::string& workload, const Setting&)> body) const;
};

} // namespace throng::bench
