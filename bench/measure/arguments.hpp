// Reads the values of options, for all measuring programs.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace throng::bench {

/// Throws std::invalid_argument with a sentence about the option.
[[noreturn]] inline void refuse(std::string_view option, std::string_view text) {
    throw std::invalid_argument(std::string(option) + " cannot be '" + std::string(text) + "'");
}

/// A number within bounds; calls refuse() for any other text.
template <class Number>
Number number(std::string_view option, std::string_view text, Number least, Number most) {
    Number value{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    // This form of the condition refuses NaN too.
    if (error != std::errc{} || stop != end || !(value >= least && value <= most)) {
        refuse(option, text);
    }
    return value;
}

/// The elements of a list with commas, converted, without repetitions.
template <class Convert>
auto list(std::string_view text, const Convert& convert) {
    std::vector<decltype(convert(text))> values;
    for (;;) {
        const std::size_t comma = text.find(',');
        const auto value = convert(text.substr(0, comma));
        if (std::find(values.begin(), values.end(), value) == values.end()) {
            values.push_back(value);
        }
        if (comma == std::string_view::npos) { return values; }
        text.remove_prefix(comma + 1);
    }
}

/// The arguments of a program, one option at a time. All calls except next() and option() may throw
/// std::invalid_argument with a sentence about the option.
class Arguments {
public:
    explicit Arguments(std::span<const char* const> all) noexcept : all_(all) {}

    /// Goes on to the next option; false if there is none.
    bool next() noexcept {
        if (next_ == all_.size()) { return false; }
        option_ = all_[next_++];
        return true;
    }
    [[nodiscard]] std::string_view option() const noexcept { return option_; }

    /// The value after the option.
    std::string_view value() {
        if (next_ == all_.size()) {
            throw std::invalid_argument(std::string(option_) + " needs a value");
        }
        return all_[next_++];
    }
    template <class Number>
    Number number(Number least, Number most) {
        return bench::number(option_, value(), least, most);
    }
    std::vector<std::size_t> numbers(std::size_t least, std::size_t most) {
        return list(value(), [&](std::string_view text) {
            return bench::number(option_, text, least, most);
        });
    }
    /// The elements of `all` that a list names.
    template <class Named, class NameOf>
    std::vector<Named> named(const std::vector<Named>& all, const NameOf& name_of) {
        return list(value(), [&](std::string_view text) {
            for (const Named& one : all) {
                if (name_of(one) == text) { return one; }
            }
            refuse(option_, text);
        });
    }
    [[noreturn]] void unknown() const {
        throw std::invalid_argument("there is no option '" + std::string(option_) + "'");
    }

private:
    std::span<const char* const> all_;
    std::size_t next_ = 0;
    std::string_view option_;
};

} // namespace throng::bench
