// Runs the self-tests of the core: `make test` builds them with sanitizers and with every move compared
// to a recomputation.
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

int main() {
    using namespace splitroute;
    for (const Test& test : tests()) {
        running = test.name;
        test.run();
    }
    std::printf("core: %zu tests, %s checks passed\n", tests().size(), with_commas(checks).c_str());
}
