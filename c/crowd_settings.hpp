// A host's settings of a crowd.
#pragma once

#include "../engine/crowd/crowd.hpp"
#include "memory.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace throng::c {

class SettingsReader {
public:
    /// Throws Refused for settings that no crowd accepts.
    explicit SettingsReader(const throng_crowd_settings* settings);

    /// The host's memory, which the new object must keep.
    [[nodiscard]] const std::shared_ptr<HostMemory>& memory() const noexcept { return memory_; }

    /// Calls make(std::integral_constant<std::size_t, Dim>) with the dimension wanted.
    template <class Make>
    void with_dimension(const Make& make) const {
        if (given_.dimension == 2) { return make(std::integral_constant<std::size_t, 2>()); }
        make(std::integral_constant<std::size_t, 3>());
    }

    /// Sets up an index. Throws Refused.
    template <std::size_t Dim, class Index>
    void configure(Index& index) const {
        check(index.configure(settings<Dim>(), kind<Dim>()));
    }

    /// Sets up the world of an index, with the bounds and periodic axes alone. Throws Refused if it
    /// has another dimension.
    template <std::size_t Dim, class Index>
    [[nodiscard]] Status configure_world(Index& index) const {
        if (given_.dimension != Dim) { refuse(THRONG_WRONG_DIMENSION, "settings.dimension"); }
        const CrowdSettings<Dim> wanted = settings<Dim>();
        if (!wanted.bounds && wanted.periodic != std::array<bool, Dim>{}) {
            return {Cause::missing, Argument::bounds};
        }
        return index.configure(wanted.bounds.value_or(Box<Dim>{}), wanted.periodic);
    }

private:
    template <std::size_t Dim>
    [[nodiscard]] CrowdSettings<Dim> settings() const;
    template <std::size_t Dim>
    [[nodiscard]] CrowdKind<Dim> kind() const;
    static void check(const Status& status);

    throng_crowd_settings given_;
    std::shared_ptr<HostMemory> memory_;
};

} // namespace throng::c
