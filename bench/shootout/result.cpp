#include "result.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

namespace throng::shootout {

namespace {

std::string figure(double value) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.*f", value < 100.0 ? 3 : 1, value);
    return text;
}

const char* word_for(Verdict verdict) noexcept {
    switch (verdict) {
    case Verdict::right:
        return "yes";
    case Verdict::wrong:
        return "no";
    case Verdict::unchecked:
    case Verdict::too_slow:
        break;
    }
    return "-";
}

} // namespace

double Times::quantile(double share) const {
    std::vector<double> sorted = seconds_;
    std::sort(sorted.begin(), sorted.end());
    const auto rank =
        static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
    return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

Result::Result(const std::string& path) : path_(path), part_(path + ".part") {
    if (path.empty() || std::filesystem::is_directory(path)) {
        throw std::runtime_error("cannot write '" + path + "'");
    }
    file_.open(part_);
    if (!file_) { throw std::runtime_error("cannot write " + part_); }
}

Result::~Result() {
    if (!file_.is_open()) { return; }
    file_.close();
    std::remove(part_.c_str());
}

void Result::add(const Line& line) {
    lines_ << line.subject << ',' << line.kind << ',' << line.dim << ',' << name_of(line.scene)
           << ',' << line.work << ',' << line.way << ',' << line.agents << ',' << line.threads
           << ',' << line.asked << ',';
    const bool measured = line.verdict != Verdict::too_slow;
    const bool timed = measured && line.verdict != Verdict::wrong && line.times.runs() > 0;
    lines_ << (measured ? std::to_string(line.hits) : "") << ','
           << (line.work == "sweep" ? figure(line.size) : "") << ','
           << (measured ? line.path : "too slow") << ',';
    if (timed) {
        const auto each = [&](double share) {
            return figure(line.times.quantile(share) * 1e9 / line.units);
        };
        lines_ << each(0.5) << ',' << each(0.0) << ',' << each(0.99) << ',' << line.times.runs();
    } else {
        lines_ << ",,,0";
    }
    lines_ << ',' << (line.bytes < 0.0 ? "" : figure(line.bytes)) << ',' << word_for(line.verdict)
           << '\n';
    if (line.verdict == Verdict::wrong) { ++wrong_; }
}

void Result::finish(const std::vector<std::string>& remarks) {
    for (const std::string& remark : remarks) {
        file_ << "# " << remark << '\n';
    }
    file_ << "subject,kind,dim,scene,work,way,agents,threads,asked,hits,size,path,"
             "median_ns,best_ns,p99_ns,runs,bytes,right\n"
          << lines_.str();
    file_.close();
    if (!file_ || std::rename(part_.c_str(), path_.c_str()) != 0) {
        std::remove(part_.c_str());
        throw std::runtime_error("cannot write " + path_);
    }
}

} // namespace throng::shootout
