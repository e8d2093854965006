// One crowd, and all contenders on it.
#pragma once

#include "forecast.hpp"
#include "options.hpp"
#include "questions.hpp"
#include "result.hpp"
#include "subject.hpp"
#include "walkers.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace throng::shootout {

template <std::size_t Dim>
class Match {
public:
    Match(const Options& options, const std::vector<Entry>& entries, Forecast& forecast,
          Result& result, SceneKind scene, std::size_t agents);

    /// Measures all works that a crew of `threads` threads can do.
    void play(const Crew& crew);

private:
    struct Contender {
        const Entry* entry = nullptr;
        std::unique_ptr<Subject<Dim>> subject{};
        std::size_t heap = 0; ///< bytes of heap in use by it
        bool asked_for_pairs = false;
        Verdict pairs = Verdict::too_slow;
        Times update{}, find{}, frame{};
        double spent = 0.0;
        bool done = false;
    };
    using Contenders = std::vector<Contender>;

    void play(std::vector<const Entry*> entries, const Crew& crew);
    [[nodiscard]] bool too_slow_to_begin(const Entry& entry, const Crew& crew) const;
    void begin(Contenders& contenders, const Crew& crew);
    void ask_everything(Contenders& contenders, const Crew& crew);
    template <class Question>
    void ask(Contenders& contenders, const Crew& crew, std::string_view work, Skill skill, Way way,
             std::string_view suffix, const Asked<Question>& asked, double size = 0.0);
    void check_pairs(Contenders& contenders, const Crew& crew);
    void run_frames(Contenders& contenders);
    /// Whether the first contender found the same number of pairs in this frame; frames count from
    /// 1.
    [[nodiscard]] bool is_as_before(std::size_t frame, std::uint64_t pairs);
    void write_frames(const Contender& contender, const Crew& crew);
    void write_too_slow(const Entry& entry, const Crew& crew);

    [[nodiscard]] Line line_of(const Entry& entry, const Crew& crew, std::string_view work,
                               std::string_view way) const;
    [[nodiscard]] std::string key_of(const Line& line) const;
    [[nodiscard]] double bytes_of(const Contender& contender) const;
    /// The number of frames before questions, so that every tree has settled.
    [[nodiscard]] int frames_before() const noexcept;

    const Options& options_;
    const std::vector<Entry>& entries_;
    Forecast& forecast_;
    Result& result_;
    SceneKind scene_;
    std::size_t agents_;
    Walkers<Dim> walkers_;
    std::optional<Questions<Dim>> questions_;
    std::vector<std::uint64_t> pairs_of_frame_;
};

extern template class Match<2>;
extern template class Match<3>;

} // namespace throng::shootout
