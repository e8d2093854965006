// Questions to a structure, single ones and many.
#include "../questions.hpp"
#include "../../engine/shapes/with_shapes.hpp"
#include "../arrays.hpp"
#include "../hits.hpp"
#include "index.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace throng::c {

namespace {

class IndexQuestions : public QuestionsReader {
public:
    IndexQuestions(const throng_questions* questions, const QuestionNames& names)
        : QuestionsReader(questions, names) {
        demand_all_sets();
    }
};

/// Calls ask(index, shape) with one question's shape, of any kind.
template <std::size_t Dim, class Index, class Ask>
Found ask_with(const Index& index, const ShapesView<Dim>& one, const Ask& ask) {
    return with_shapes(one, [&](auto shapes) { return ask(index, shapes[0]); });
}
template <class Ask>
Found ask_one(const IndexObject& object, const IndexQuestions& question, const Ask& ask) {
    return object.ask([&]<std::size_t Dim>(const auto& index) {
        const ShapesView<Dim> one = question.shapes<Dim>();
        const Status status = check_shape(one);
        return status.ok() ? ask_with(index, one, ask) : Found{0, status};
    });
}

/// Appends runs of elements to arrays, up to the room there is.
class Appender {
public:
    void append(std::span<const Id> run, std::span<Id> to) const noexcept {
        if (count_ >= to.size()) { return; }
        std::copy_n(run.data(), std::min(run.size(), to.size() - count_), to.data() + count_);
    }
    void advance(std::size_t elements) noexcept { count_ += elements; }
    [[nodiscard]] std::size_t count() const noexcept { return count_; }

private:
    std::size_t count_ = 0;
};

/// Writes the answers to all questions one behind another, and returns the number of ids.
template <std::size_t Dim, class Index>
Found answer_all(const Index& index, const IndexQuestions& questions, const HitsBuffer& out) {
    const ShapesView<Dim> all = questions.shapes<Dim>();
    if (out.offsets.size() < all.count + 1) { return {0, {Cause::no_room, Argument::offsets}}; }
    if (const Status status = first_fault(all); !status.ok()) { return {0, status}; }
    Appender ids;
    out.offsets[0] = 0;
    const auto append = [&](std::span<const Id> run) {
        ids.append(run, out.ids);
        ids.advance(run.size());
        return true;
    };
    for (std::size_t q = 0; q < all.count; ++q) {
        (void)ask_with(index, all.part(q, 1), [&](const auto& asked, const auto& shape) {
            return asked.visit(shape, append, questions.filters().of(q));
        });
        out.offsets[q + 1] = ids.count();
    }
    return {ids.count(), {}};
}

/// The status of a call that counts the hits of one question; writes this number to `to`.
template <class Number>
throng_status write_one(const Found& found, const IndexQuestions& question, Number* to) noexcept {
    if (found.status.ok()) { *to = static_cast<Number>(found.count); }
    return question.as_asked(found.status);
}

} // namespace

} // namespace throng::c

using namespace throng::c;

throng_status throng_index_query(const throng_index* index, const throng_questions* questions,
                                 throng_hits_room* out) {
    return guarded([&] {
        const IndexObject& object = look_up(index, "index");
        const IndexQuestions given(questions, kQuestions);
        HitsRoom room(out);
        const throng::Found found = object.ask([&]<std::size_t Dim>(const auto& asked) {
            return answer_all<Dim>(asked, given, room.buffer());
        });
        if (found.status.ok()) { return room.write(found.count); }
        return with_need(given.as_asked(found.status), given.count() + 1);
    });
}

throng_status throng_index_query_one(const throng_index* index, const throng_questions* question,
                                     uint32_t* ids, size_t room, uint64_t* total) {
    return guarded([&] {
        const IndexObject& object = look_up(index, "index");
        const IndexQuestions given(question, kQuestion);
        const auto to = array_of<std::uint32_t>(ids, room, "ids", "room");
        check_out(total, "total");
        const throng::Found found =
            ask_one(object, given, [&](const auto& asked, const auto& shape) {
                return asked.query(shape, to, given.filters().of(0));
            });
        if (!found.status.ok()) { return given.as_asked(found.status); }
        *total = found.count;
        return found.count <= to.size() ? kOk : status_with(THRONG_NO_ROOM, "ids", found.count);
    });
}

throng_status throng_index_count_one(const throng_index* index, const throng_questions* question,
                                     uint64_t* total) {
    return guarded([&] {
        const IndexObject& object = look_up(index, "index");
        const IndexQuestions given(question, kQuestion);
        check_out(total, "total");
        const auto count = [&](const auto& asked, const auto& shape) {
            return asked.count(shape, given.filters().of(0));
        };
        return write_one(ask_one(object, given, count), given, total);
    });
}

throng_status throng_index_any_one(const throng_index* index, const throng_questions* question,
                                   uint32_t* found) {
    return guarded([&] {
        const IndexObject& object = look_up(index, "index");
        const IndexQuestions given(question, kQuestion);
        check_out(found, "found");
        const auto any = [&](const auto& asked, const auto& shape) {
            return asked.any(shape, given.filters().of(0));
        };
        return write_one(ask_one(object, given, any), given, found);
    });
}

throng_status throng_index_visit_one(const throng_index* index, const throng_questions* question,
                                     throng_visitor visitor, void* user, uint64_t* visited) {
    return guarded([&] {
        const IndexObject& object = look_up(index, "index");
        const IndexQuestions given(question, kQuestion);
        if (visitor == nullptr) { refuse(THRONG_NULL_POINTER, "visitor"); }
        check_wanted(visited, "visited");
        const auto hand_over = [&](std::span<const throng::Id> ids) {
            return call_host([&] { return visitor(ids.data(), ids.size(), user) != 0; });
        };
        const throng::Found found =
            ask_one(object, given, [&](const auto& asked, const auto& shape) {
                return asked.visit(shape, hand_over, given.filters().of(0));
            });
        if (found.status.ok()) { write_value<std::uint64_t>(found.count, visited); }
        return given.as_asked(found.status);
    });
}

throng_status throng_index_visit_pairs(const throng_index* index, uint32_t groups,
                                       throng_pair_visitor visitor, void* user, uint64_t* visited) {
    return guarded([&] {
        const IndexObject& object = look_up(index, "index");
        if (visitor == nullptr) { refuse(THRONG_NULL_POINTER, "visitor"); }
        check_wanted(visited, "visited");
        const auto hand_over = [&](std::span<const throng::Id> first,
                                   std::span<const throng::Id> second) {
            return call_host(
                [&] { return visitor(first.data(), second.data(), first.size(), user) != 0; });
        };
        const throng::Found found = object.ask([&]<std::size_t Dim>(const auto& asked) {
            return asked.visit_pairs(hand_over, groups);
        });
        if (found.status.ok()) { write_value<std::uint64_t>(found.count, visited); }
        return status_of(found.status);
    });
}

throng_status throng_index_find_pairs(const throng_index* index, uint32_t groups,
                                      throng_pairs_room* out) {
    return guarded([&] {
        const IndexObject& object = look_up(index, "index");
        throng_pairs_room room = read(out, "out");
        const auto firsts = array_of<std::uint32_t>(room.first, room.room, "out.first", "out.room");
        const auto seconds =
            array_of<std::uint32_t>(room.second, room.room, "out.second", "out.room");
        Appender pairs;
        const auto append = [&](std::span<const throng::Id> first,
                                std::span<const throng::Id> second) {
            pairs.append(first, firsts);
            pairs.append(second, seconds);
            pairs.advance(first.size());
            return true;
        };
        const throng::Found found = object.ask(
            [&]<std::size_t Dim>(const auto& asked) { return asked.visit_pairs(append, groups); });
        if (!found.status.ok()) { return status_of(found.status); }
        room.total = found.count;
        write(room, out);
        return found.count <= room.room ? kOk
                                        : status_with(THRONG_NO_ROOM, "out.first", found.count);
    });
}

throng_status throng_index_cells(const throng_index* index, throng_cell* cells, size_t room,
                                 uint64_t* total) {
    return guarded([&] {
        const IndexObject& object = look_up(index, "index");
        CellsRoom out(cells, room);
        check_out(total, "total");
        object.ask([&]<std::size_t Dim>(const auto& asked) {
            asked.visit_cells([&](const throng::IndexCell<Dim>& cell) {
                out.add(cell, THRONG_AGENTS);
                return true;
            });
        });
        return out.write(total);
    });
}
