#include "options.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string_view>

namespace throng::demo {

namespace {

template <class Number>
Number number(std::string_view option, std::string_view text, Number least, Number most) {
    Number value{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    // Written so that NaN is refused too.
    if (error != std::errc{} || stop != end || !(value >= least && value <= most)) {
        throw std::invalid_argument(std::string(option) + " cannot be '" + std::string(text) + "'");
    }
    return value;
}

} // namespace

const char* usage() noexcept {
    return R"(usage: throng_demo [<option>...]

A crowd walks about, bounces off the walls, and every agent asks in every frame who is near it, to
turn away from those it runs into. Prints what that takes.

  --agents <n>                how many (1000000)
  --seconds <s>               for how long (5)
  --threads <n>               on how many threads (1)
  --dim 2|3                   in the plane or in space (2)
  --scene uniform|clustered   how they stand at first (uniform)
  --image <file.ppm>          draws the last frame: all of the crowd, and a part of it enlarged
  --help

The environment variable THRONG_FORCE_ISA chooses the instruction set: scalar, sse2, sse4.2, avx2,
avx512 or neon.
)";
}

Options parse(std::span<const char* const> arguments) {
    Options options;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view option = arguments[i];
        if (option == "--help" || option == "-h") {
            options.help = true;
            return options;
        }
        const auto value = [&]() -> std::string_view {
            if (++i == arguments.size()) {
                throw std::invalid_argument(std::string(option) + " needs a value");
            }
            return arguments[i];
        };
        if (option == "--agents") {
            options.agents = number<std::size_t>(option, value(), 1, 100'000'000);
        } else if (option == "--seconds") {
            options.seconds = number(option, value(), 0.0, 86'400.0);
        } else if (option == "--threads") {
            options.threads = number(option, value(), 1, 1024);
        } else if (option == "--dim") {
            options.dim = number<std::size_t>(option, value(), 2, 3);
        } else if (option == "--scene") {
            const std::string_view scene = value();
            if (scene != "uniform" && scene != "clustered") {
                throw std::invalid_argument("there is no scene '" + std::string(scene) + "'");
            }
            options.clustered = scene == "clustered";
        } else if (option == "--image") {
            options.image = value();
        } else {
            throw std::invalid_argument("there is no option '" + std::string(option) + "'");
        }
    }
    return options;
}

} // namespace throng::demo
