#include "report.hpp"

#include "../measure/csv.hpp"
#include "../measure/statistics.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace throng::bench {

namespace {

/// The largest acceptable overhead of Batch on one thread.
constexpr double kMostOverhead = 1.02;

void print_subject(const Subject& subject) {
    const Setting& setting = subject.setting;
    std::printf("%-15.*s %-5s %-9s %zud %9zu", static_cast<int>(subject.workload.size()),
                subject.workload.data(), to_string(setting.index), to_string(setting.population),
                setting.dim, setting.agents);
}

} // namespace

Report::Report(const Machine& machine, const Bandwidth& bandwidth, std::string_view isa,
               const Options& options)
    : path_(options.csv), machine_(to_string(machine)), bandwidth_(to_string(bandwidth)), isa_(isa),
      file_(options.csv), threads_(options.threads), pinned_(options.pin) {
    file_
        << "machine,bandwidth,isa,executor,pinned,workload,index,scene,dim,scaling,agents,threads,"
           "median_ns_per_agent,speedup,efficiency,runs,checked\n";
    finish();
    std::printf("%s; memory %s; %s%s\n", machine_.c_str(), bandwidth_.c_str(), isa_.c_str(),
                pinned_ ? "; threads are pinned" : "");
}

void Report::begin(Scaling scaling) const {
    std::printf("\n%s, ns an agent", to_string(scaling));
    if (scaling == Scaling::overhead) {
        std::printf(": RowGrid alone and through Batch, medians; the ratio with its quartiles\n"
                    "(the questions of balls_shuffled are sorted by Batch where crowds are large)\n"
                    "workload        index scene     dim    agents    alone    batch   ratio\n");
        return;
    }
    if (scaling == Scaling::hosts) {
        std::printf(": two crowds one after the other and at once, medians; the ratio with its "
                    "quartiles\n"
                    "workload        index scene     dim    agents executor threads  apart       "
                    "at once   ratio\n");
        return;
    }
    std::printf(", medians; efficiency against the serial executor\n"
                "workload        index scene     dim %s executor   serial",
                scaling == Scaling::weak ? " agents/t" : "   agents");
    for (const std::size_t threads : threads_) {
        std::printf("%8zu thr      ", threads);
    }
    std::printf("\n");
}

void Report::write(const Subject& subject, const Figure& figure) {
    char numbers[160];
    std::snprintf(numbers, sizeof(numbers), "%zu,%zu,%.4f,%.4f,%.4f,%zu,%s\n", figure.agents,
                  figure.threads, figure.ns_per_agent, figure.speedup, figure.efficiency(),
                  figure.runs, figure.right ? "yes" : "no");
    const Setting& setting = subject.setting;
    file_ << quoted(machine_) << ',' << quoted(bandwidth_) << ',' << isa_ << ','
          << to_string(figure.source) << ',' << (pinned_ ? "yes" : "no") << ',' << subject.workload
          << ',' << to_string(setting.index) << ',' << to_string(setting.population) << ','
          << setting.dim << ',' << to_string(subject.scaling) << ',' << numbers;
    if (!figure.right) {
        all_right_ = false;
        std::fflush(stdout);
        std::fprintf(stderr,
                     "throng_scaling: wrong answers: %.*s, %s, %s, %zud of %zu agents, %s, %zu\n",
                     static_cast<int>(subject.workload.size()), subject.workload.data(),
                     to_string(setting.index), to_string(setting.population), setting.dim,
                     figure.agents, to_string(figure.source), figure.threads);
    }
}

void Report::add_scaling(const Subject& subject, std::span<const Figure> figures) {
    for (const Figure& figure : figures) {
        write(subject, figure);
    }
    const double serial = figures[0].ns_per_agent;
    for (const Source source : {Source::pool, Source::tbb}) {
        const auto find = [&](auto&& wanted) {
            return std::find_if(figures.begin(), figures.end(), wanted);
        };
        const auto is_of_source = [&](const Figure& figure) { return figure.source == source; };
        if (find(is_of_source) == figures.end()) { continue; }
        print_subject(subject);
        std::printf(" %-8s %8.2f", to_string(source), serial);
        for (const std::size_t threads : threads_) {
            const auto figure = find(
                [&](const Figure& one) { return is_of_source(one) && one.threads == threads; });
            if (figure == figures.end()) {
                std::printf("%18s", "-");
            } else {
                std::printf("%10.2f %4.0f %%%s", figure->ns_per_agent, 100.0 * figure->efficiency(),
                            figure->right ? " " : "!");
            }
        }
        std::printf("\n");
    }
    finish();
}

void Report::add_overhead(const Subject& subject, const Figure& direct, const Figure& batch,
                          const std::vector<double>& ratios) {
    write(subject, direct);
    write(subject, batch);
    const double ratio = median(ratios);
    print_subject(subject);
    std::printf(" %8.2f %8.2f   %.3f (%.3f to %.3f)%s%s\n", direct.ns_per_agent, batch.ns_per_agent,
                ratio, quantile(ratios, 0.25), quantile(ratios, 0.75),
                ratio > kMostOverhead ? " more than 2 %" : "",
                direct.right && batch.right ? "" : " WRONG");
    finish();
}

void Report::add_hosts(const Subject& subject, const Figure& apart, const Figure& together,
                       const std::vector<double>& ratios) {
    write(subject, together);
    print_subject(subject);
    std::printf(" %-8s %4zu %10.2f %10.2f   %.3f (%.3f to %.3f)%s\n", to_string(together.source),
                together.threads, apart.ns_per_agent, together.ns_per_agent, median(ratios),
                quantile(ratios, 0.25), quantile(ratios, 0.75),
                apart.right && together.right ? "" : " WRONG");
    finish();
}

void Report::finish() {
    std::fflush(stdout);
    if (!file_.flush()) { throw std::runtime_error("cannot write " + path_); }
}

} // namespace throng::bench
