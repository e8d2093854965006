#include "options.hpp"

#include "../output/output_file.hpp"
#include "../stage/names.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace throng::demo {

namespace {

[[noreturn]] void refuse(std::string_view option, std::string_view text, const std::string& why) {
    throw std::invalid_argument(std::string(option) + " cannot be '" + std::string(text) +
                                "': " + why);
}

template <class Number>
Number number(std::string_view option, std::string_view text, Number least, Number most) {
    Number value{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    // This form of the condition refuses NaN too.
    if (error != std::errc{} || stop != end || !(value >= least && value <= most)) {
        const auto plain = [](Number n) { return std::to_string(static_cast<std::uint64_t>(n)); };
        refuse(option, text, "it takes a number from " + plain(least) + " to " + plain(most));
    }
    return value;
}

template <class Names>
std::string listed(const Names& names) {
    std::string list;
    for (const char* const name : names) {
        list += (list.empty() ? "" : ", ") + std::string(name);
    }
    return list;
}

void parse_size(Options& options, std::string_view option, std::string_view text) {
    const std::size_t cross = text.find('x');
    if (cross == std::string_view::npos) { refuse(option, text, "it takes a size as 1280x720"); }
    options.width = number<std::size_t>(option, text.substr(0, cross), 64, 16'384);
    options.height = number<std::size_t>(option, text.substr(cross + 1), 64, 16'384);
}

/// Reads options that have a value.
void set(Options& options, std::string_view option, std::string_view value) {
    if (value.empty()) { throw std::invalid_argument(std::string(option) + " cannot be empty"); }
    if (option == "--scene") {
        if (std::find(kSceneNames.begin(), kSceneNames.end(), value) == kSceneNames.end()) {
            refuse(option, value, "the scenes are " + listed(kSceneNames));
        }
        options.scene = value;
    } else if (option == "--agents") {
        options.agents = number<std::size_t>(option, value, 1, kMostAgents);
    } else if (option == "--frames") {
        options.frames = number<std::size_t>(option, value, 1, 1'000'000'000);
    } else if (option == "--seconds") {
        options.seconds = number(option, value, 0.0, 86'400.0);
    } else if (option == "--threads") {
        options.threads = number<std::size_t>(option, value, 1, 1024);
    } else if (option == "--seed") {
        options.seed = number<std::uint64_t>(option, value, 0, ~std::uint64_t{0});
    } else if (option == "--structure") {
        const auto kind = structure_of(value);
        if (!kind) { refuse(option, value, "the structures are " + listed(kStructureNames)); }
        options.structure = *kind;
    } else if (option == "--ranks") {
        options.ranks = number<std::uint32_t>(option, value, 1, kMostRanks);
        options.structure = StructureKind::ranks;
        options.overlay = true;
    } else if (option == "--isa") {
        options.isa = value;
    } else if (option == "--size") {
        parse_size(options, option, value);
    } else if (option == "--image") {
        options.image = value;
    } else if (option == "--video") {
        if (!value.ends_with(".mp4") && !value.ends_with(".gif")) {
            refuse(option, value, "it takes a file that ends in .mp4 or .gif");
        }
        options.video = value;
    } else if (option == "--csv") {
        options.csv = value;
    } else if (option == "--ply") {
        options.ply = value;
    } else {
        options.usda = value;
    }
}

constexpr std::string_view kValued[] = {
    "--scene", "--agents", "--frames", "--seconds", "--threads", "--seed", "--structure", "--ranks",
    "--isa",   "--size",   "--image",  "--video",   "--csv",     "--ply",  "--usda"};

/// Options that make sense only for a run without a window.
constexpr std::string_view kNotOfWindows[] = {"--ranks", "--frames", "--seconds",
                                              "--image", "--video",  "--csv",
                                              "--ply",   "--usda",   "--quiet"};

/// Refuses options that contradict each other.
void check_together(const Options& options) {
    const std::string structure = name_of(options.structure);
    if (!has_dimension(options.structure, dimension_of(options.scene))) {
        throw std::invalid_argument("--structure " + structure +
                                    " is for the plane, and the scene " + options.scene +
                                    " is in space");
    }
    if (!can_keep(options.structure, dimension_of(options.scene), options.agents)) {
        throw std::invalid_argument("--structure " + structure +
                                    " tests every agent against all others: it takes --agents " +
                                    std::to_string(kMostForBruteForce) + " at most");
    }
    if (options.ranks != 0 && has_giants(options.scene)) {
        throw std::invalid_argument("--ranks cannot keep the giants of the scene " + options.scene);
    }
    if (options.seconds == 0.0 && options.frames == 0) {
        throw std::invalid_argument("--seconds 0 needs --frames");
    }
    std::vector<std::filesystem::path> files;
    for (const std::string* const file :
         {&options.image, &options.video, &options.csv, &options.ply, &options.usda}) {
        if (file->empty()) { continue; }
        auto meant = file_meant_by(*file);
        if (std::find(files.begin(), files.end(), meant) != files.end()) {
            throw std::invalid_argument("'" + *file + "' cannot be two files at once");
        }
        files.push_back(std::move(meant));
    }
    if (options.overlay && options.ranks == 0 && options.image.empty() && options.video.empty() &&
        !options.view) {
        throw std::invalid_argument("--overlay needs a picture: --image, --video or --view");
    }
    if (options.video.ends_with(".mp4") && (options.width % 2 != 0 || options.height % 2 != 0)) {
        throw std::invalid_argument("--video needs a --size of even numbers");
    }
}

} // namespace

const char* usage() noexcept {
    return R"(usage: throng-demo [<option>...]

Plays a crowd: in every frame all agents move, the structure is updated, each agent asks which others
are near, and all that overlap are found. Shows frames a second meanwhile, and in the end what each
part took; draws the last frame, each agent coloured by how many others are near.

what is played
  --scene <name>       bounce      circles that bounce off each other, the classic (the default)
                       boids       flocks, steered by a fused kernel
                       evacuation  people find their way out of a building with walls and doors
                       city        walkers who make way for those they see, among 20,000 walls
                       dragons     hobbits, and dragons that are up to fifty times as large
                       smoke       particles that rise, in space
                       stress      one spot for all, giants, full cells, far outliers, in turn
  --agents <n>         how many (1000000)
  --seed <n>           another crowd; the same seed is the same crowd to the bit, on any number of
                       threads and any instruction set (1)

for how long
  --frames <n>         ends after n frames
  --seconds <s>        ends after s seconds, or after the frames if that is sooner (5, and no end
                       if there are --frames)

by what
  --structure <name>   crowd (the default), row_grid, double_grid, tight_quadtree,
                       nested_index, loose_tree, brute_force. Those from double_grid on are asked
                       one agent at a time; tight_quadtree and nested_index are for the plane only
  --ranks <n>          in place of a structure, a grid over n ranks of a job, which are threads of
                       this process and run one at a time. Colours are owners, lighter where others
                       have copies, and bricks are outlined. Not for dragons and stress
  --threads <n>        how many work at most (as many as there are processors)
  --isa <name>         scalar, sse2, sse4.2, avx2, avx512 or neon (the best that there is)

what is written
  --image <file.png>   a picture of the last frame (throng.png, in the current folder)
  --no-image           none
  --video <file>       all frames, as .mp4 or .gif; needs ffmpeg
  --size <w>x<h>       of both, in pixels (pictures 1600x900, videos 1280x720)
  --overlay            cells or nodes of the structure over both; needs one of them
  --csv <file>         a line for each frame: what took how long, pairs, neighbours, and a checksum
                       that is the same for every structure (but for boids and city), thread count and
                       instruction set
  --ply <file>         the agents of the last frame, with radii and numbers of neighbours
  --usda <file>        the same as USD points: positions, widths, neighbours as a primvar

  --view               a window instead: pan, zoom, ask with a brush, change the structure. It
                       is of the --size, 1280x720 by itself, and --overlay outlines cells from the
                       beginning; it stays until it is closed, and takes nothing that says how
                       long, no files, and no --quiet
  --quiet              no progress bar
  --help

Files are written beside their names, as <file>.<process>.part, and renamed when all of them are
whole; links are followed, and what is no regular file is refused. Ctrl-C ends a run early, with all
that belongs to its end. Whatever makes no sense, and what cannot be written, is said in one line;
then there are no files, and the exit code is 2. It is 2 as well where standard output takes no
more, but files are written then.

examples
  throng-demo                                        a million agents, five seconds
  throng-demo --scene dragons --view                 hobbits and dragons, in a window
  throng-demo --structure loose_tree --frames 100   how a tree does with it
  throng-demo --scene evacuation --agents 20000 --video out.mp4
  throng-demo --scene smoke --frames 200 --usda smoke.usda --image smoke.png
)";
}

Options parse(std::span<const char* const> arguments) {
    Options options;
    std::vector<std::string_view> given;
    const auto is_given = [&](std::string_view option) {
        return std::find(given.begin(), given.end(), option) != given.end();
    };
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view option = arguments[i];
        if (option == "--help" || option == "-h") {
            options.help = true;
            return options;
        }
        if (option == "--overlay") {
            options.overlay = true;
        } else if (option == "--view") {
            options.view = true;
        } else if (option == "--quiet") {
            options.quiet = true;
        } else if (option == "--no-image") {
            options.image.clear();
        } else if (std::find(std::begin(kValued), std::end(kValued), option) != std::end(kValued)) {
            // A file with such a name must be given as ./--name.
            if (++i == arguments.size() || std::string_view(arguments[i]).starts_with("--")) {
                throw std::invalid_argument(std::string(option) + " needs a value");
            }
            set(options, option, arguments[i]);
        } else {
            throw std::invalid_argument("there is no option '" + std::string(option) +
                                        "'; --help lists them");
        }
        given.push_back(option);
    }
    if (options.frames != 0 && !is_given("--seconds")) { options.seconds = 0.0; }
    if (options.view) {
        const auto wrong =
            std::find_if(std::begin(kNotOfWindows), std::end(kNotOfWindows), is_given);
        if (wrong != std::end(kNotOfWindows)) {
            throw std::invalid_argument(std::string(*wrong) +
                                        " does not go with --view: a window stays until it is "
                                        "closed, and writes no files");
        }
        options.image.clear();
    }
    check_together(options);
    return options;
}

} // namespace throng::demo
