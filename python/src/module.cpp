// The extension module throng._native, which only the package's Python code uses.
#include "classes.hpp"
#include "refusal.hpp"
#include "threads/team.hpp"

#include <throng/distributed/global_answers.hpp>
#include <throng/engine/agents/nearest.hpp>
#include <throng/engine/core/id.hpp>
#include <throng/engine/crowd/sets.hpp>
#include <throng/parallel/frames/contacts.hpp>
#include <throng/simd/isa/isa.hpp>

PYBIND11_MODULE(_native, module) {
    namespace python = throng::python;
    module.doc() = "What package throng is made of. Use that: this may change in any version.";
    module.attr("version") = THRONG_VERSION;
    module.attr("ALL_GROUPS") = throng::kAllGroups;
    module.attr("NO_ID") = throng::kNoId;
    module.attr("NO_GLOBAL_ID") = throng::kNoGlobalId;
    module.attr("FIRST_GLOBAL_STATIC") = throng::kFirstGlobalStatic;
    module.attr("FIRST_STATIC") = throng::kFirstStatic;
    module.attr("NO_CONTACT") = throng::kNoContact;
    module.attr("LARGEST") = throng::kLargest;
    module.attr("MOST_NEAREST") = throng::kMostNearest;
    module.attr("USUAL_EXECUTOR") = python::name_of(python::usual_executor());
    module.attr("CAUSES") = python::cause_names();
    module.def("isa", [] { return throng::to_string(throng::active_isa()); });
    for (const auto define : {
             python::define_block,
             python::define_asked,
             python::define_own_crowd,
             python::define_published,
             python::define_contacts,
             python::define_obstacles,
             python::define_lasting,
#ifdef THRONG_PYTHON_FAMILY
             python::define_brute_force,
             python::define_double_grid,
             python::define_loose_tree,
             python::define_nested_index,
             python::define_tight_quadtree,
#endif
             python::define_ranks,
             python::define_share,
             python::define_distributed,
         }) {
        define(module);
    }
}
