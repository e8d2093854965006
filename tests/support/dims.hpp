// Runs a typed test in the plane and in space.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <type_traits>

namespace throng::test {

template <std::size_t kValue>
using DimConstant = std::integral_constant<std::size_t, kValue>;

using Dims = testing::Types<DimConstant<2>, DimConstant<3>>;

struct DimNames {
    template <class Dim>
    static std::string GetName(int) {
        return std::to_string(Dim::value) + "d";
    }
};

} // namespace throng::test
