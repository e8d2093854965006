// A host that uses no function: its only undefined symbol of the library is the one that names the
// library.
#include <throng/engine/grid/row_grid.hpp>

int main() {}
