// StaticTree against the packed R-tree of Boost.Geometry: building, and finding boxes, in one run.
//
//   throng_bench_static [2|3] [agents]
//
// Each time is the median of several, ours and theirs in turn, and counts only once both have given
// the same answers. Of theirs the best of three node sizes is taken, for each line anew. Without
// Boost at build time ours is measured alone.
#include "../tests/support/random.hpp"

#include <throng/engine/static_tree.hpp>
#include <throng/simd/isa.hpp>

#if defined(THRONG_BENCH_HAS_BOOST)
#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>
#endif

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

namespace throng::bench {
namespace {

/// Seconds that a call takes.
template <class Body>
double time_of(const Body& body) {
    const auto start = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

/// One agent a unit of area or volume, each with an extent of its own.
template <std::size_t Dim>
struct Walls {
    std::array<std::vector<float>, Dim> position, half;

    explicit Walls(std::size_t count) {
        scenes::Random random(1);
        const auto side = static_cast<float>(std::pow(static_cast<double>(count), 1.0 / Dim));
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t a = 0; a < Dim; ++a) {
                position[a].push_back(random.between(0.0f, side));
                half[a].push_back(random.between(0.05f, 0.45f));
            }
        }
    }
    [[nodiscard]] std::size_t size() const { return position[0].size(); }
    [[nodiscard]] Point<Dim> position_of(std::size_t i) const { return at(position, i); }
    [[nodiscard]] Box<Dim> box_of(std::size_t i) const {
        return Box<Dim>::around(at(position, i), at(half, i));
    }
    [[nodiscard]] Agents<Dim> agents() const {
        Agents<Dim> agents;
        agents.positions = view(position);
        agents.half_extents = view(half);
        return agents;
    }

private:
    using Arrays = std::array<std::vector<float>, Dim>;
    static Point<Dim> at(const Arrays& arrays, std::size_t i) {
        Point<Dim> point;
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] = arrays[a][i];
        }
        return point;
    }
    static PointView<Dim> view(const Arrays& arrays) {
        std::array<const float*, Dim> axes;
        for (std::size_t a = 0; a < Dim; ++a) {
            axes[a] = arrays[a].data();
        }
        return PointView<Dim>::separate(axes, arrays[0].size());
    }
};

/// A sum that does not depend on the order of an answer's ids.
struct Checksum {
    std::uint64_t sum = 0, hits = 0;
    void add(std::size_t query, Id id) {
        sum += (std::uint64_t{id} + 1) * 0x9E37'79B9'7F4A'7C15u * (2 * query + 1);
        ++hits;
    }
    friend bool operator==(const Checksum&, const Checksum&) = default;
};

#if defined(THRONG_BENCH_HAS_BOOST)
namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;

template <std::size_t Dim>
using BoostBox = bg::model::box<bg::model::point<float, Dim, bg::cs::cartesian>>;

template <std::size_t Dim>
BoostBox<Dim> boost_box(const Box<Dim>& box) {
    BoostBox<Dim> made;
    const auto put = [&]<std::size_t... kAxis>(std::index_sequence<kAxis...>) {
        ((bg::set<bg::min_corner, kAxis>(made, box.lo[kAxis]),
          bg::set<bg::max_corner, kAxis>(made, box.hi[kAxis])),
         ...);
    };
    put(std::make_index_sequence<Dim>());
    return made;
}

template <std::size_t Dim, std::size_t kNode>
class BoostTree {
public:
    using Value = std::pair<BoostBox<Dim>, Id>;

    explicit BoostTree(const std::vector<Value>& values) : tree_(values.begin(), values.end()) {}

    template <class Take>
    void query(const Box<Dim>& box, const Take& take) const {
        tree_.query(
            bgi::intersects(boost_box(box)),
            boost::make_function_output_iterator([&](const Value& value) { take(value.second); }));
    }

private:
    bgi::rtree<Value, bgi::rstar<kNode>> tree_;
};
#endif

/// All sizes of boxes in one crowd.
template <std::size_t Dim>
class Comparison {
public:
    explicit Comparison(std::size_t count) : walls_(count), ids_(1 << 20) {
#if defined(THRONG_BENCH_HAS_BOOST)
        for (std::size_t i = 0; i < count; ++i) {
            values_.emplace_back(boost_box(walls_.box_of(i)), static_cast<Id>(i));
        }
#endif
    }

    /// False when answers differ.
    bool run() {
        std::printf("%zuD, %zu agents\n", Dim, walls_.size());
        build();
        return find("about 4 hits", 4.0, 50'000) && find("about 100 hits", 100.0, 10'000) &&
               find("about 10,000 hits", 10'000.0, 200);
    }

private:
    void build() {
        std::vector<double> ours;
        for (int i = 0; i < 5; ++i) {
            ours.push_back(time_of([&] {
                if (!tree_.update(walls_.agents()).ok()) { std::exit(EXIT_FAILURE); }
            }));
        }
        const double each = 1e9 / static_cast<double>(walls_.size());
        std::printf("  %-28s %10.1f ns an agent", "build", median(ours) * each);
#if defined(THRONG_BENCH_HAS_BOOST)
        const double theirs =
            std::min({build_boost(small_), build_boost(middle_), build_boost(large_)});
        std::printf("   Boost %10.1f   ratio %5.1f", theirs * each, theirs / median(ours));
#endif
        std::printf("\n");
    }

    bool find(const char* name, double hits, std::size_t queries) {
        // An agent's box reaches a quarter of a unit on average.
        const auto reach = static_cast<float>(std::pow(hits, 1.0 / Dim) / 2.0 - 0.25);
        scenes::Random random(7);
        std::vector<Box<Dim>> boxes;
        for (std::size_t q = 0; q < queries; ++q) {
            const std::size_t centre = random.below(static_cast<std::uint32_t>(walls_.size()));
            boxes.push_back(Box<Dim>::around(walls_.position_of(centre), Point<Dim>::all(reach)));
        }
        Hits answers;
        const auto ask_all = [&] { (void)tree_.query(boxes, answers); };
        const auto ask_each = [&] {
            for (const Box<Dim>& box : boxes) {
                found_ += tree_.query(box, ids_).count;
            }
        };
        ask_all();
        Checksum batch;
        Checksum single;
        for (std::size_t q = 0; q < queries; ++q) {
            for (const Id id : answers.of(q)) {
                batch.add(q, id);
            }
            const std::size_t found = tree_.query(boxes[q], ids_).count;
            for (std::size_t i = 0; i < found; ++i) {
                single.add(q, ids_[i]);
            }
        }
        if (batch != single) { return fail(name); }
#if defined(THRONG_BENCH_HAS_BOOST)
        for (const Checksum& theirs :
             {checksum(*small_, boxes), checksum(*middle_, boxes), checksum(*large_, boxes)}) {
            if (theirs != batch) { return fail(name); }
        }
#endif
        std::vector<double> one_by_one;
        std::vector<double> at_once;
        std::array<std::vector<double>, 3> theirs;
        for (int i = 0; i < 3; ++i) {
            // Each comes after another tree, so that none finds its own in the cache.
            one_by_one.push_back(time_of(ask_each));
#if defined(THRONG_BENCH_HAS_BOOST)
            theirs[0].push_back(time_of([&] { ask_boost(*small_, boxes); }));
            theirs[1].push_back(time_of([&] { ask_boost(*middle_, boxes); }));
#endif
            at_once.push_back(time_of(ask_all));
#if defined(THRONG_BENCH_HAS_BOOST)
            theirs[2].push_back(time_of([&] { ask_boost(*large_, boxes); }));
#endif
        }
        const double each = 1e9 / static_cast<double>(queries);
        const double best =
            theirs[0].empty() ? 0.0
                              : std::min({median(theirs[0]), median(theirs[1]), median(theirs[2])});
        const auto print = [&](const char* way, double ours) {
            std::printf("  %-18s %-9s %10.1f ns a query", name, way, ours * each);
            if (best != 0.0) {
                std::printf("    Boost %10.1f   ratio %5.1f", best * each, best / ours);
            }
            std::printf("\n");
        };
        print("one each", median(one_by_one));
        print("at once", median(at_once));
        return found_ != 0; // so that no answer is for nothing
    }

    static bool fail(const char* name) {
        std::printf("  %s: the answers differ\n", name);
        return false;
    }

#if defined(THRONG_BENCH_HAS_BOOST)
    template <class Tree>
    double build_boost(std::optional<Tree>& tree) {
        std::vector<double> times;
        for (int i = 0; i < 3; ++i) {
            tree.reset();
            times.push_back(time_of([&] { tree.emplace(values_); }));
        }
        return median(times);
    }
    template <class Tree>
    void ask_boost(const Tree& tree, const std::vector<Box<Dim>>& boxes) {
        for (const Box<Dim>& box : boxes) {
            std::size_t found = 0;
            tree.query(box, [&](Id id) { ids_[found++] = id; });
            found_ += found;
        }
    }
    template <class Tree>
    static Checksum checksum(const Tree& tree, const std::vector<Box<Dim>>& boxes) {
        Checksum sum;
        for (std::size_t q = 0; q < boxes.size(); ++q) {
            tree.query(boxes[q], [&](Id id) { sum.add(q, id); });
        }
        return sum;
    }

    std::vector<typename BoostTree<Dim, 16>::Value> values_;
    std::optional<BoostTree<Dim, 8>> small_;
    std::optional<BoostTree<Dim, 16>> middle_;
    std::optional<BoostTree<Dim, 32>> large_;
#endif
    Walls<Dim> walls_;
    StaticTree<Dim> tree_;
    std::vector<Id> ids_;
    std::size_t found_ = 0;
};

} // namespace
} // namespace throng::bench

int main(int argc, char** argv) {
    using throng::bench::Comparison;
    const long dim = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 0;
    const long count = argc > 2 ? std::strtol(argv[2], nullptr, 10) : 0;
    std::printf("%s\n", throng::to_string(throng::active_isa()));
#if !defined(THRONG_BENCH_HAS_BOOST)
    std::printf("Boost.Geometry was not found: ours alone\n");
#endif
    bool right = true;
    for (const std::size_t agents : {100'000u, 1'000'000u}) {
        if (count > 0 && agents != static_cast<std::size_t>(count)) { continue; }
        if (dim != 3) { right = Comparison<2>(agents).run() && right; }
        if (dim != 2) { right = Comparison<3>(agents).run() && right; }
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
