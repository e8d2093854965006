#include "export.hpp"

#include "../stage/random.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <span>
#include <string>
#include <vector>

namespace throng::demo {

namespace {

static_assert(std::endian::native == std::endian::little, "PLY is written as it is in memory");

float z_of(const Sight& sight, std::size_t i) noexcept {
    return sight.z.empty() ? 0.0f : sight.z[i];
}

/// Collects text, and writes it in large pieces.
class Lines {
public:
    explicit Lines(OutputFile& file) : file_(file) {}
    Lines& operator<<(std::string_view text) {
        text_ += text;
        if (text_.size() > kMuch) { flush(); }
        return *this;
    }
    template <class Number>
    Lines& number(Number value) {
        std::array<char, 32> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
        return *this << std::string_view(digits.data(), end);
    }
    void flush() {
        file_.write(text_);
        text_.clear();
    }

private:
    static constexpr std::size_t kMuch = 1 << 20;
    OutputFile& file_;
    std::string text_;
};

/// Writes an array in USD's form: [one, two, three].
template <class Call>
void put_array(Lines& out, std::string_view name, std::size_t count, const Call& call) {
    out << "    " << name << " = [";
    for (std::size_t i = 0; i < count; ++i) {
        if (i != 0) { out << ", "; }
        call(i);
    }
    out << "]";
}

} // namespace

void write_ply(const Stage& stage, OutputFile& file) {
    const Sight sight = stage.sight();
    file.write("ply\nformat binary_little_endian 1.0\ncomment throng-demo " +
               std::string(stage.scene()) + "\nelement vertex " + std::to_string(sight.x.size()) +
               "\nproperty float x\nproperty float y\nproperty float z\nproperty float radius\n"
               "property uint neighbours\nend_header\n");
    struct Vertex {
        float x, y, z, radius;
        std::uint32_t neighbours;
    };
    static_assert(sizeof(Vertex) == 20);
    std::vector<Vertex> vertices;
    vertices.reserve(sight.x.size());
    for (std::size_t i = 0; i < sight.x.size(); ++i) {
        vertices.push_back(
            {sight.x[i], sight.y[i], z_of(sight, i), sight.half_of(i), sight.neighbours[i]});
    }
    file.write(std::as_bytes(std::span(vertices)));
}

void write_usda(const Stage& stage, OutputFile& file) {
    const Sight sight = stage.sight();
    const std::size_t agents = sight.x.size();
    Lines out(file);
    out << "#usda 1.0\n(\n    defaultPrim = \"Agents\"\n    metersPerUnit = 1\n"
           "    upAxis = \"Y\"\n)\n\ndef Points \"Agents\"\n{\n";
    put_array(out, "point3f[] points", agents, [&](std::size_t i) {
        out << "(";
        out.number(sight.x[i]) << ", ";
        out.number(sight.y[i]) << ", ";
        out.number(z_of(sight, i)) << ")";
    });
    out << "\n";
    put_array(out, "float[] widths", agents,
              [&](std::size_t i) { out.number(2.0f * sight.half_of(i)); });
    out << "\n";
    put_array(out, "int[] primvars:neighbours", agents,
              [&](std::size_t i) { out.number(sight.neighbours[i]); });
    out << " (\n        interpolation = \"vertex\"\n    )\n}\n";
    out.flush();
}

std::uint64_t checksum_of(const Sight& sight) noexcept {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < sight.x.size(); ++i) {
        std::uint64_t agent = Random::mixed(i);
        for (const float coordinate : {sight.x[i], sight.y[i], z_of(sight, i)}) {
            agent = Random::mixed(agent ^ std::bit_cast<std::uint32_t>(coordinate));
        }
        sum += Random::mixed(agent ^ sight.neighbours[i]);
    }
    return sum;
}

} // namespace throng::demo
