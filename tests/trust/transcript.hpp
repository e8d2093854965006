// An index's answers to a sequence as numbers, so that two indexes are compared at once.
#pragma once

#include "../family/asked.hpp"
#include "../family/indexes.hpp"
#include "sequence.hpp"

#include <throng/engine/agents/nearest.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace throng::test {

/// The answers to operation i are the words before ends[i]. A reused Transcript does not allocate
/// anew.
struct Transcript {
    /// The answer to an operation that the index lacks.
    static constexpr std::uint32_t kCannot = 0xFFFF'FFFFu;

    std::vector<std::uint32_t> words;
    std::vector<std::size_t> ends;
    const char* complaint = nullptr; ///< the first one of validate()

    void clear() noexcept {
        words.clear();
        ends.clear();
        complaint = nullptr;
    }
};

/// An index of any type, with the calls that sequences make.
template <std::size_t Dim>
class Subject {
public:
    virtual Status lay_out(const scenes::Scene<Dim>& scene, const CrowdKind<Dim>& kind) = 0;
    virtual Status update(const Agents<Dim>& agents) = 0;
    virtual Status edit(const Edit<Dim>& edit) = 0;
    /// Makes all edits or none.
    virtual Status edit(std::span<const Edit<Dim>> edits) = 0;
    virtual void tidy() = 0;
    virtual void clear() = 0;

    [[nodiscard]] virtual Asked<Dim> asked() const noexcept = 0;
    [[nodiscard]] virtual std::size_t size() const = 0;
    [[nodiscard]] virtual bool contains(Id id) const = 0;
    [[nodiscard]] virtual CrowdKind<Dim> kind() const = 0;
    [[nodiscard]] virtual const char* validate() const = 0;
    virtual Found visit_pairs(IndexPairVisitor visitor, std::uint32_t groups) const = 0;

    /// Returns false if the index has no such call.
    virtual bool nearest(const Point<Dim>& point, const Nearest& nearest, std::span<Near> out,
                         const Filter& filter, Found& found) const = 0;
    virtual bool hits(const AnyShape<Dim>& path, const Filter& filter, Status& status,
                      std::vector<PathHit>& met, Found& found, PathHit& first) const = 0;

protected:
    ~Subject() = default;
};

/// Plays a sequence on a new index.
template <std::size_t Dim>
void play(const Sequence<Dim>& sequence, Subject<Dim>& subject, Transcript& transcript);

/// Empty if both agree about all operations that both have; otherwise the first difference.
template <std::size_t Dim>
[[nodiscard]] std::string difference(const Sequence<Dim>& sequence, const Transcript& got,
                                     const Transcript& wanted);

} // namespace throng::test
