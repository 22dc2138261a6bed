// SPDX-License-Identifier: BSD-2-Clause
// A row of ticks.csv: its events in their order, each as often as it happened; an event without a
// column is refused by name.
#include <cstdio>
#include <cstring>
#include <sstream>

#include "base/error.h"
#include "log/tickrow.h"

int main() {
    mcpi::TickRow row{7, 1, 0, 0x10004, {}};
    using mcpi::Event;
    for (const Event event : {Event::busDmaTicks, Event::icacheMisses, Event::busDmaTicks})
        row.add(event);
    std::ostringstream out;
    row.write(out, {"issue"});
    if (out.str() != "7,1,issue,10004,icache.misses bus.dma_ticks bus.dma_ticks\n") {
        std::fprintf(stderr, "the row is %s", out.str().c_str());
        return 1;
    }
    try {
        row.add(Event::locksFailed);
    } catch (const mcpi::RunError &error) {
        return !std::strstr(error.what(), "locks.failed has no column");
    }
    std::fputs("locks.failed is accepted\n", stderr);
    return 1;
}
