// Runs the self-tests of the core: `make test` builds them with sanitizers and with every move compared
// to a recomputation.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "check.hpp"

namespace splitroute {

namespace {
const char* running = "";
}

long checks = 0;

std::vector<Test>& tests() {
    static std::vector<Test> all;
    return all;
}

void fail(const char* file, int line, const char* condition) {
    std::fprintf(stderr, "%s:%d: %s failed: %s\n", file, line, running, condition);
    std::exit(1);
}

}  // namespace splitroute

namespace {
std::string with_commas(long number) {
    std::string text = std::to_string(number);
    for (int at = int(text.size()) - 3; at > 0; at -= 3) text.insert(at, ",");
    return text;
}
}  // namespace

// Runs the tests that are named, or all.
int main(int count, char** names) {
    using namespace splitroute;
    int run = 0;
    for (const Test& test : tests()) {
        if (count > 1 && std::find(names + 1, names + count, std::string(test.name)) == names + count)
            continue;
        running = test.name;
        test.run();
        ++run;
    }
    std::printf("core: %d tests, %s checks passed\n", run, with_commas(checks).c_str());
    return run ? 0 : 1;
}
