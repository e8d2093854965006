#include "contenders.hpp"

#include <iterator>
#include <utility>

namespace throng::shootout {

namespace {

struct Peer {
    const char* name;
    std::vector<Entry> (*entries)(); ///< null if not found
};

constexpr Peer kPeers[] = {
#if defined(THRONG_SHOOTOUT_BOOST)
    {"boost_rtree", boost_rtree},
#else
    {"boost_rtree", nullptr},
#endif
#if defined(THRONG_SHOOTOUT_NANOFLANN)
    {"nanoflann", nanoflann_tree},
#else
    {"nanoflann", nullptr},
#endif
#if defined(THRONG_SHOOTOUT_BOX2D)
    {"box2d_tree", box2d_tree},
#else
    {"box2d_tree", nullptr},
#endif
#if defined(THRONG_SHOOTOUT_BULLET)
    {"bullet_dbvt", bullet_dbvt},
#else
    {"bullet_dbvt", nullptr},
#endif
#if defined(THRONG_SHOOTOUT_EMBREE)
    {"embree", embree},
#else
    {"embree", nullptr},
#endif
};

void append(std::vector<Entry>& all, std::vector<Entry> more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

} // namespace

std::vector<Entry> roster() {
    std::vector<Entry> all = ours();
    append(all, plain_grid());
    append(all, plain_hash());
    append(all, plain_sweep());
    append(all, plain_box_tree());
    append(all, plain_vp_tree());
    for (const Peer& peer : kPeers) {
        if (peer.entries != nullptr) { append(all, peer.entries()); }
    }
    return all;
}

std::vector<std::string> lacking() {
    std::vector<std::string> names;
    for (const Peer& peer : kPeers) {
        if (peer.entries == nullptr) { names.emplace_back(peer.name); }
    }
    return names;
}

} // namespace throng::shootout
