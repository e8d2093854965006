// Compiled in place of ranks.cpp where the demo is built without ranks.
#include "ranks.hpp"

#include <stdexcept>

namespace throng::demo {

template <std::size_t Dim>
std::unique_ptr<Structure<Dim>> make_ranks(std::uint32_t, const People<Dim>&, Executor&) {
    throw std::runtime_error(
        "this build of the demo lacks ranks, which scripts/demo --ranks <n> builds");
}

template std::unique_ptr<Structure<2>> make_ranks(std::uint32_t, const People<2>&, Executor&);
template std::unique_ptr<Structure<3>> make_ranks(std::uint32_t, const People<3>&, Executor&);

} // namespace throng::demo
