"""The reference has what headers declare, and nothing is left out unseen."""

import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

import page  # noqa: E402
import text  # noqa: E402
from headers import Header, Refused  # noqa: E402


def read(declarations):
    """What is in namespace throng."""
    return Header("planted.hpp", f"// Planted.\nnamespace throng {{\n\n{declarations}\n\n}}\n").items


def lines(declarations):
    """What the page says of a class."""
    out = page.Page()
    out.type(read(declarations)[0], "Planted", "planted.hpp", [])
    return [line for line in "\n".join(out.lines[4:]).split("\n") if line]


def signatures(declarations):
    return [page.signature(item) for item in read(declarations)]


class TheParser(unittest.TestCase):
    def test_overloads_have_their_own_arguments_and_comments(self):
        calls = read("/// One.\nStatus set(Id id);\n/// Many.\nStatus set(std::span<const Id> ids);")
        self.assertEqual([(call.name, call.text, call.comment) for call in calls],
                         [("set", "Id id", [" One."]), ("set", "std::span<const Id> ids", [" Many."])])

    def test_a_signature_on_several_lines_is_one(self):
        self.assertEqual(signatures("""
template <std::size_t Dim>
[[nodiscard]] THRONG_API ShapeOrStatus<Dim>
window_in(const GridShape<Dim>& whole, // the larger one
          const std::array<std::uint32_t, Dim>& first = {},
          Executor& executor = serial_executor()) noexcept;"""), [
            ("window_in(const GridShape& whole, const array<uint32_t, Dim>& first = {}, [Executor& executor])",
             "ShapeOrStatus")])

    def test_bodies_and_initialisers_are_skipped(self):
        item, = read("""
class Pool {
public:
    explicit Pool(std::size_t threads) noexcept : threads_(threads), names_{} { start({1, 2}); }
    [[nodiscard]] constexpr bool ok() const noexcept { return threads_ != 0; }
    static constexpr std::uint64_t kMost = std::uint64_t{1}
                                           << 28; ///< of threads
private:
    void start();
    int threads_ = 0;
};""")
        self.assertEqual([member.name for member in item.members], ["Pool", "ok", "kMost"])
        self.assertEqual((item.members[2].text, item.members[2].comment), ("= std::uint64_t{1} << 28", [" of threads"]))

    def test_templates(self):
        self.assertEqual(signatures("""
template <Freezable Index>
Status save(const Index& index);
template <std::size_t Dim, ShapeIn<Dim> Shape>
constexpr ShapeKind kind_of() noexcept { return {}; }
template <std::same_as<WorldAgent<Dim>> Far>
requires requires(const Far& far) { far.x; } && (sizeof(Far) > 4)
Status insert(Id id, const Far& agent);
template <class Index, class... Sets>
Found first(const Index& index, const Sets&... sets);"""), [
            ("save(const Freezable auto& index)", "Status"), ("kind_of<Dim, Shape>()", "ShapeKind"),
            ("insert(Id id, const WorldAgent& agent)", "Status"),
            ("first(const Index& index, const Sets&... sets)", "Found")])

    def test_operators(self):
        self.assertEqual(signatures("Result operator()(Args... args) const;\nconst T& operator*() const;\n"
                                    "explicit operator bool() const;\nconstexpr Sets operator|(Sets a, Sets b);"), [
            ("operator()(Args... args) const", "Result"), ("operator*() const", "const T&"),
            ("operator bool() const", ""), ("operator|(Sets a, Sets b)", "Sets")])

    def test_enumerators_have_comments_before_and_behind_them(self):
        item, = read("""
enum class Sets : std::uint8_t {
    none = 0,
    small = 1, ///< agents that
               ///< fit
    /// All others.
    rest = none | small
};""")
        self.assertEqual([(value.name, value.text, value.comment) for value in item.members], [
            ("none", "0", []), ("small", "1", [" agents that", " fit"]), ("rest", "none | small", [" All others."])])

    def test_lists_of_macros_are_written_out(self):
        items = read("""
#define LIST_OF(M) \\
    M(box, one)    \\
    M(ball, many)
/// A kind.
enum class Kind {
#define THRONG_NAME(name, number) name,
    THRONG_LIST(THRONG_NAME)
#undef THRONG_NAME
};
/// Refuses.
#define THRONG_CHECK(Shape, kind) Status check(const Shape& shape);
THRONG_LIST(THRONG_CHECK)""".replace("LIST_OF", "THRONG_LIST"))
        self.assertEqual([value.name for value in items[0].members], ["box", "ball"])
        self.assertEqual((items[1].text, items[1].comment), ("const Shape& shape", [" Refuses."]))

    def test_what_is_inside_of_the_library_is_skipped(self):
        self.assertEqual(read("namespace detail {\nstruct Access {};\n}\nextern template class Crowd<2>;"), [])

    def test_what_it_does_not_know_is_refused_in_a_sentence(self):
        with self.assertRaisesRegex(Refused, r"^planted.hpp:4: volatile behind the arguments of f\(\);"):
            read("int f() volatile;")
        with self.assertRaisesRegex(Refused, "^planted.hpp:4: a namespace other;"):
            read("namespace other {}")


class ThePage(unittest.TestCase):
    def test_calls_that_share_a_comment_stay_together(self):
        self.assertEqual(lines("""
class Crowd {
public:
    /// One agent.
    Status insert(Id id);
    Status erase(Id id);
    Status erase(WiderThanId auto) = delete;
    /// The same for many.
    Status insert(std::span<const Id> ids);
    std::size_t size() const; ///< of agents
    bool contains(Id id) const;
};"""), ["- `insert(Id id)` → `Status`<br>", "  `erase(Id id)` → `Status`<br>", "  One agent.",
         "  - `insert(span<const Id> ids)` → `Status`<br>", "    The same for many.",
         "- `size() const` → `size_t`: of agents", "- `contains(Id id) const` → `bool`"])

    def test_what_copies_moves_compares_or_is_deleted_is_left_out(self):
        self.assertEqual(lines("""
struct Box {
    Box() = default;
    Box(Box&&) noexcept;
    Box& operator=(const Box& other) { return *this; }
    ~Box();
    Box(int from);
    void cut(long) = delete;
    friend bool operator==(const Box&, const Box&) = default;
};"""), ["- `Box(int from)`"])

    def test_members_and_nested_types(self):
        self.assertEqual(lines("""
struct Edit {
    enum class Kind { insert, erase };
    Kind kind = Kind::erase;
    Point<Dim> from{}, to; ///< both | none
};"""), ["| member | |", "|---|---|", "| `Kind kind = Kind::erase` |  |", "| `Point from{}, to` | both \\| none |",
         "`Edit::Kind`: `insert`, `erase`."])

    def test_a_remark_between_empty_lines_is_a_paragraph(self):
        self.assertEqual(lines("struct S {\n    void f();\n\n    // Answers.\n\n    // Why.\n    void g();\n};"),
                         ["- `f()`", "Answers.", "- `g()`"])

    def test_only_the_first_paragraph_of_a_type(self):
        self.assertEqual(text.markdown([" One", " two.", "", " Three."], most=1), ["One two."])

    def test_code_demands_and_pages_are_marked(self):
        self.assertEqual(
            text.marked("It must not be `x`; refused where size() > kMost, or Sets::all: docs/fit.md. A vector<Id>."),
            "It **must not** be `x`; **refused** where `size()` > `kMost`, or `Sets::all`: [fit.md](fit.md). "
            "A `vector<Id>`.")

    def test_paragraphs_lists_code_and_tables(self):
        self.assertEqual(text.markdown([" Text:", "", "     int x;", "", "     int y;", "", " * one", "   more",
                                        " * two", "", " | a | b", " c |", " |---|---|"]),
                         ["Text:", "", "```cpp", "int x;", "", "int y;", "```", "", "* one more", "* two", "",
                          "| a | b c |", "|---|---|"])

    def test_no_line_begins_with_what_markdown_takes_for_a_list(self):
        wrapped = text.wrapped("word " * 24 + "- 1 of a batch and `a | b`")
        self.assertEqual(wrapped[1].split()[0], "word")
        self.assertTrue(wrapped[1].endswith("word - 1 of a batch and `a | b`"))


class TheScript(unittest.TestCase):
    """A copy of the headers, with something planted."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = scratch.name
        here = os.path.dirname(os.path.dirname(HERE))
        self.write("docs/reference.md", "")
        with open(os.path.join(here, "cmake", "headers.cmake"), encoding="utf-8") as file:
            self.write("cmake/headers.cmake", file.read())
        for folder in ("simd", "engine", "parallel"):
            for path, _, names in os.walk(os.path.join(here, folder)):
                for name in names:
                    if name.endswith(".hpp"):
                        self.copy(here, os.path.relpath(os.path.join(path, name), here))
        self.copy(here, "throng.hpp")
        self.copy(here, "jobs.hpp")

    def copy(self, here, path):
        with open(os.path.join(here, path), encoding="utf-8") as file:
            self.write(path, file.read())

    def write(self, path, content):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)

    def plant(self, path, old, new):
        with open(os.path.join(self.root, path), encoding="utf-8") as file:
            content = file.read()
        self.assertIn(old, content)
        self.write(path, content.replace(old, new, 1))

    def run_reference(self, *arguments):
        command = [sys.executable, "-B", os.path.join(HERE, "reference.py"), "--root", self.root, *arguments]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_an_old_page_is_noticed_and_mended(self):
        status, said = self.run_reference("--check")
        self.assertEqual((status, said.splitlines()[-1]),
                         (1, "error: docs/reference.md is not what the headers say: run scripts/reference"))
        self.assertEqual(self.run_reference()[0], 0)
        with open(os.path.join(self.root, "docs", "reference.md"), encoding="utf-8") as file:
            content = file.read()
        self.assertIn("\n### CrowdKind\n", content)
        self.assertIn("`bool own_half_extents = false`", content)
        self.plant("engine/agents/agents.hpp", "struct CrowdKind {", "struct CrowdKind {\n    bool planted = false;")
        self.assertEqual(self.run_reference("--check")[0], 1)

    def test_a_header_without_a_place_is_refused(self):
        self.write("engine/core/planted.hpp", "// Planted.\n")
        self.plant("throng.hpp", '#include "engine/core/assert.hpp"',
                   '#include "engine/core/assert.hpp"\n#include "engine/core/planted.hpp"')
        self.assertEqual(self.run_reference(), (1, "error: throng.hpp includes engine/core/planted.hpp, which "
                                                   "cmake/headers.cmake does not have\n"))
        self.plant("cmake/headers.cmake", "engine/core/assert.hpp", "engine/core/assert.hpp engine/core/planted.hpp")
        self.assertEqual(self.run_reference(), (1, "error: engine/core/planted.hpp has no place on the page: add it to "
                                                   "SECTIONS in tests/reference/reference.py\n"))

    def test_a_name_in_a_header_without_names_is_refused(self):
        self.plant("engine/shapes/box_facts.hpp", "namespace throng::detail {",
                   "namespace throng { int planted(); }\nnamespace throng::detail {")
        status, said = self.run_reference()
        self.assertEqual(status, 1)
        self.assertRegex(said, r"engine/shapes/box_facts.hpp:\d+: planted has no place on the page")

    def test_a_comment_that_names_what_is_gone_is_found(self):
        self.plant("engine/agents/agents.hpp", "struct CrowdKind {",
                   "struct CrowdKind {\n    bool planted = false; ///< see Handle::planted()")
        self.assertEqual(self.run_reference()[0], 0)
        status, said = self.run_reference("--check")
        self.assertEqual(status, 1)
        self.assertIn("the comment names Handle::planted, and Handle has no such member\n", said)


if __name__ == "__main__":
    unittest.main()
