// SPDX-License-Identifier: BSD-2-Clause
// mcpi-debug SOCKET NODES, then the words of mcpi-exact run: a run as a target of GDB
// (docs/how-to/debug.md).
#include <cstdlib>

#include "base/exit_status.h"
#include "debug/server.h"
#include "exact/run/checked.h"

using namespace mcpi;

int main(int argc, char **argv) {
    return exitStatus("mcpi-debug", [&] {
        if (argc < 4)
            throw UserError("wanted: mcpi-debug SOCKET NODES run …; ./mcpi debug starts it.");
        debug::Timeline timeline(parseOptions(argc - 2, argv + 2, false));
        debug::Packets packets(argv[1]);
        const unsigned nodes = std::atoi(argv[2]) == 2 ? 2 : 1;
        debug::Server(timeline, packets, nodes).run();
        return 0;
    });
}
