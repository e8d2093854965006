// A plug-in with the library in it. Programs may have other plug-ins, with other versions.
#include <throng/engine/grid/row_grid.hpp>

extern "C" __attribute__((visibility("default"))) unsigned agents_of_plugin() {
    throng::RowGrid<2> grid;
    return grid.update({}).ok() ? static_cast<unsigned>(grid.size()) : 1;
}
