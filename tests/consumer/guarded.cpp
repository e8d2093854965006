// A host that uses nothing yet: the only symbol it lacks is the one that names its library.
#include <throng/engine/grid/row_grid.hpp>

int main() {}
