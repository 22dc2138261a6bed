// SPDX-License-Identifier: BSD-2-Clause
// A row of ticks.csv: its events in their order, each as often as it happened; a counter that has
// no place in it is refused by name.
#include <cstdio>
#include <cstring>
#include <sstream>

#include "base/error.h"
#include "trace/tickrow.h"

int main() {
    mcpi::TickRow row{7, 1, 0, 0x10004, {}};
    for (const char *name : {"bus.dma_ticks", "icache.misses", "bus.dma_ticks"})
        row.add(name);
    std::ostringstream out;
    row.write(out, {"issue"});
    if (out.str() != "7,1,issue,10004,icache.misses bus.dma_ticks bus.dma_ticks\n") {
        std::fprintf(stderr, "the row is %s", out.str().c_str());
        return 1;
    }
    try {
        row.add("locks.failed");
    } catch (const mcpi::RunError &error) {
        return !std::strstr(error.what(), "locks.failed has no place");
    }
    std::fputs("locks.failed is accepted\n", stderr);
    return 1;
}
