#include "video.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <vector>

extern char** environ; // NOLINT: as POSIX declares it

namespace throng::demo {

namespace {

std::vector<std::string> command_for(const std::string& name, const std::string& part,
                                     std::size_t width, std::size_t height) {
    const std::string size = std::to_string(width) + "x" + std::to_string(height);
    std::vector<std::string> command = {"ffmpeg", "-loglevel", "quiet",    "-nostdin", "-y",
                                        "-f",     "rawvideo",  "-pix_fmt", "rgba",     "-s",
                                        size,     "-r",        "30",       "-i",       "-"};
    const auto add = [&](std::initializer_list<const char*> words) {
        command.insert(command.end(), words.begin(), words.end());
    };
    if (name.ends_with(".gif")) {
        // Each frame gets its own palette; by default ffmpeg uses one palette for all. A palette
        // for the whole film would need all frames in memory.
        add({"-vf", "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1", "-f",
             "gif"});
    } else {
        add({"-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4"});
    }
    command.push_back("file:" + part);
    return command;
}

} // namespace

Video::Video(const std::string& name, std::size_t width, std::size_t height) : file_(name) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) { throw std::runtime_error("there is no pipe left"); }
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    // Keeps Ctrl-C from ffmpeg: this program handles it, and ends the film properly.
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::vector<std::string> command = command_for(name, file_.part(), width, height);
    std::vector<char*> words;
    for (std::string& word : command) {
        words.push_back(word.data());
    }
    words.push_back(nullptr);
    const int error =
        ::posix_spawnp(&ffmpeg_, "ffmpeg", &actions, &attributes, words.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
    ::close(ends[0]);
    pipe_ = ends[1];
    if (error != 0) {
        ffmpeg_ = -1;
        ::close(pipe_);
        throw std::runtime_error("--video needs ffmpeg, and it cannot be started");
    }
}

Video::~Video() { (void)end(); }

bool Video::end() noexcept {
    if (ffmpeg_ < 0) { return false; }
    ::close(pipe_);
    int status = -1;
    while (::waitpid(ffmpeg_, &status, 0) < 0 && errno == EINTR) {}
    ffmpeg_ = -1;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void Video::add(const Image& image) {
    const std::uint8_t* next = image.rgba.data();
    for (std::size_t left = image.rgba.size(); left != 0;) {
        const ssize_t written = ::write(pipe_, next, left);
        if (written < 0 && errno == EINTR) { continue; }
        if (written < 0) { throw std::runtime_error("ffmpeg has given up"); }
        next += written;
        left -= static_cast<std::size_t>(written);
    }
}

OutputFile& Video::finish() {
    if (!end()) { throw std::runtime_error("ffmpeg could not make '" + file_.name() + "'"); }
    return file_;
}

} // namespace throng::demo
