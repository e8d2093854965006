// The C++ door: what the library says when it is asked as each row of the table says.
#include "cases.hpp"

#include <cstdio>

int main() {
    using namespace throng::refusals;
    for (const std::span<const Case> cases : {crowd_cases(), edit_cases(), shape_cases(),
                                              batch_cases(), obstacle_cases(), family_cases()}) {
        for (const Case& one : cases) {
            std::printf("%s\t%s\n", one.name, one.sentence().c_str());
        }
    }
}
