// SPDX-License-Identifier: BSD-2-Clause
// A pair of exact nodes is copied on its way; both go on to their end, and each writes its files:
// unit_pair TICK FOLDER, then the words of mcpi-exact run. The copy's files go to FOLDER.
#include <cstdlib>
#include <ctime>
#include <memory>

#include "exact/run/pair.h"
#include "test/check.h"

using namespace mcpi;

int main(int argc, char **argv) {
    const uint64_t tick = std::strtoull(argv[1], nullptr, 10);
    exact::Pair first(parseOptions(argc - 2, argv + 2, false));
    first.runUntil(tick);
    double fastest = 1; // of a few: the memory of the first copy is new
    std::unique_ptr<exact::Pair> copy;
    for (int n = 0; n < 5; ++n) {
        copy.reset();
        const std::clock_t before = std::clock();
        copy = std::make_unique<exact::Pair>(first, argv[2]);
        fastest = std::min(fastest, double(std::clock() - before) / CLOCKS_PER_SEC);
    }
    first.run();
    copy->run();
    std::printf("copied in %.2f ms\n", 1000 * fastest);
    CHECK(fastest < 0.01);
    return 0;
}
