// The k-d tree of nanoflann over agents' centres, built anew in every frame.
#include "../contenders.hpp"

#include <nanoflann.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace throng::shootout {

namespace {

template <std::size_t Dim>
struct Centres {
    std::vector<Point<Dim>> points;
    // The tree calls functions of these names.
    [[nodiscard]] std::size_t kdtree_get_point_count() const { return points.size(); }
    [[nodiscard]] float kdtree_get_pt(std::size_t i, std::size_t a) const { return points[i][a]; }
    template <class Bounds>
    bool kdtree_get_bbox(Bounds&) const {
        return false; // the tree computes the bounds itself
    }
};

/// nanoflann's own result set excludes the rim, and allocates. This one includes the rim, and
/// writes ids directly to their final place. The tree searches slightly beyond the radius, because
/// it adds up distances to its cells in its own order.
struct InBall {
    Id* out;
    float radius2;
    std::size_t found = 0;
    [[nodiscard]] float worstDist() const { return radius2 * (1.0f + 1e-5f); }
    [[nodiscard]] bool full() const { return true; }
    bool addPoint(float distance2, Id id) {
        if (distance2 <= radius2) { out[found++] = id; }
        return true;
    }
};

template <std::size_t Dim>
class KdTree final : public Subject<Dim> {
    using Metric = nanoflann::L2_Simple_Adaptor<float, Centres<Dim>, float, Id>;
    using Tree =
        nanoflann::KDTreeSingleIndexAdaptor<Metric, Centres<Dim>, static_cast<int>(Dim), Id>;

public:
    void update(const Walkers<Dim>& walkers) override {
        centres_.points.resize(walkers.size());
        for (std::size_t i = 0; i < walkers.size(); ++i) {
            centres_.points[i] = walkers.position_of(i);
        }
        if (!tree_) {
            tree_.emplace(static_cast<int>(Dim), centres_,
                          nanoflann::KDTreeSingleIndexAdaptorParams(kLeaf));
        }
        tree_->buildIndex();
    }

    [[nodiscard]] bool offers(Skill skill, Way way) const noexcept override {
        return way == Way::single && (skill == Skill::balls || skill == Skill::nearest);
    }

    void ask(std::span<const Ball<Dim>> balls, Way, Answers& answers) override {
        for (const Ball<Dim>& ball : balls) {
            InBall inside{answers.room().data(), ball.radius * ball.radius};
            tree_->findNeighbors(inside, ball.centre.axis.data(), nanoflann::SearchParams());
            answers.take(inside.found);
        }
    }

    void ask(std::span<const Point<Dim>> points, Way, Answers& answers) override {
        std::array<Id, kNearest> ids;
        std::array<float, kNearest> distances2;
        for (const Point<Dim>& point : points) {
            const std::size_t found =
                tree_->knnSearch(point.axis.data(), kNearest, ids.data(), distances2.data());
            answers.take(found, [&](std::size_t i) { return ids[i]; });
        }
    }

private:
    /// The documentation recommends 10 to 50 for queries.
    static constexpr std::size_t kLeaf = 10;

    Centres<Dim> centres_;
    std::optional<Tree> tree_; // refers to the centres
};

} // namespace

std::vector<Entry> nanoflann_tree() {
    constexpr int kVersion = NANOFLANN_VERSION;
    const std::string version = std::to_string(kVersion >> 8 & 15) + '.' +
                                std::to_string(kVersion >> 4 & 15) + '.' +
                                std::to_string(kVersion & 15);
    return {{Kind::peer, "nanoflann", "rebuild", version,
             [](const Crew&) { return std::make_unique<KdTree<2>>(); },
             [](const Crew&) { return std::make_unique<KdTree<3>>(); }}};
}

} // namespace throng::shootout
