#include "frozen.hpp"

#include "../archive/save_index.hpp"
#include "../crowd/frozen.hpp"
#include "../grid/frozen.hpp"
#include "../static_tree/frozen.hpp"

namespace throng {

THRONG_FREEZE(RowGrid<2>)
THRONG_FREEZE(RowGrid<3>)
THRONG_FREEZE(StaticTree<2>)
THRONG_FREEZE(StaticTree<3>)
THRONG_FREEZE(Crowd<2>)
THRONG_FREEZE(Crowd<3>)

} // namespace throng
