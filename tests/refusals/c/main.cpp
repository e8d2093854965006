// Prints what throng.h says to the call of each row of the table.
#include "cases.hpp"

#include <cstdio>

int main() {
    using namespace throng_refusals;
    for (const std::span<const Case> cases : {crowd_cases(), edit_cases(), shape_cases(),
                                              batch_cases(), obstacle_cases(), family_cases()}) {
        for (const Case& one : cases) {
            char text[300];
            (void)throng_status_text(one.status(), text, sizeof text);
            std::printf("%s\t%s\n", one.name, text);
        }
    }
}
