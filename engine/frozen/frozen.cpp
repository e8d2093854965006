#include "frozen.hpp"

#include "../archive/save_index.hpp"
#include "../crowd/store/frozen.hpp"
#include "../grid/store/frozen.hpp"
#include "../loose_tree/frozen.hpp"

namespace throng {

THRONG_FREEZE(RowGrid<2>)
THRONG_FREEZE(RowGrid<3>)
THRONG_FREEZE(LooseTree<2>)
THRONG_FREEZE(LooseTree<3>)
THRONG_FREEZE(Crowd<2>)
THRONG_FREEZE(Crowd<3>)

} // namespace throng
