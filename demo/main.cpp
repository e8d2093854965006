// Plays a crowd, and shows what it takes.
#include "make_stage.hpp"
#include "names.hpp"
#include "options.hpp"
#include "picture.hpp"

#include <throng/parallel/thread_pool.hpp>

#include <cstdio>
#include <exception>
#include <fstream>

int main(int argc, char** argv) {
    using namespace throng::demo;
    try {
        const Options options = parse({argv + 1, argv + argc});
        if (options.help) {
            std::fputs(usage(), stdout);
            return 0;
        }
        throng::ThreadPool pool(options.threads);
        const auto stage = make_stage(options, pool);
        FrameTimes times;
        for (std::size_t f = 0; f < options.frames; ++f) {
            if (const throng::Status status = stage->step(times); !status.ok()) {
                throw std::runtime_error(to_string(status));
            }
        }
        Painter painter(pool);
        Image image(1600, 900);
        for (int i = 0; i < 3; ++i) {
            const auto t0 = FrameTimes::Clock::now();
            draw_picture(*stage, options.overlay, painter, image);
            std::printf(
                "paint %.1f ms\n",
                std::chrono::duration<double, std::milli>(FrameTimes::Clock::now() - t0).count());
        }
        for (std::size_t p = 0; p < kParts && options.frames; ++p) {
            std::printf("%s %.2f\n", kPartNames[p], times.quantile(static_cast<Part>(p), .5));
        }
        std::printf("pairs %llu\n", static_cast<unsigned long long>(stage->pairs()));
        std::ofstream out("/tmp/b/demo.ppm", std::ios::binary);
        out << "P6\n1600 900\n255\n";
        for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
            out.write(reinterpret_cast<const char*>(&image.rgba[i]), 3);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "throng-demo: %s\n", error.what());
        return 2;
    }
}
