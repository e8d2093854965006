// The extension module throng._native, used only by the package's Python code.
#include "arrays/block.hpp"
#include "asked.hpp"
#include "crowd.hpp"
#include "distributed.hpp"
#include "family/family.hpp"
#include "frames/contacts.hpp"
#include "frames/lasting.hpp"
#include "frames/published.hpp"
#include "obstacles.hpp"
#include "refusal.hpp"
#include "share.hpp"

#include <throng/engine/agents/nearest.hpp>
#include <throng/engine/core/id.hpp>
#include <throng/engine/crowd/sets.hpp>
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
    python::define_block(module);
    python::define_asked<2>(module, "Asked2");
    python::define_asked<3>(module, "Asked3");
    python::define_own_crowd<2>(module, "Crowd2");
    python::define_own_crowd<3>(module, "Crowd3");
    python::define_published<2>(module, "Published2", "Frame2");
    python::define_published<3>(module, "Published3", "Frame3");
    python::define_contacts<2>(module, "Contacts2");
    python::define_contacts<3>(module, "Contacts3");
    python::define_obstacles<2>(module, "Obstacles2");
    python::define_obstacles<3>(module, "Obstacles3");
    python::define_lasting<2>(module, "Lasting2");
    python::define_lasting<3>(module, "Lasting3");
#ifdef THRONG_PYTHON_FAMILY
    python::define_brute_force(module);
    python::define_double_grid(module);
    python::define_loose_tree(module);
    python::define_nested_index(module);
    python::define_tight_quadtree(module);
#endif
    python::define_ranks(module);
    python::define_share<2>(module, "Share2");
    python::define_share<3>(module, "Share3");
    python::define_distributed<2>(module, "Distributed2");
    python::define_distributed<3>(module, "Distributed3");
}
