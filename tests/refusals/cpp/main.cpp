// Prints what the library says to the call of each row of the table, in C++.
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
