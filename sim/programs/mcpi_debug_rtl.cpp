// SPDX-License-Identifier: BSD-2-Clause
// mcpi-debug-rtl SOCKET NODES, then the words of mcpi-sim run: a run of two Verilated nodes as a
// target of GDB, forward alone (docs/how-to/debug.md). Without SOCKET NODES: as mcpi-sim.
#include <cstdlib>

#include "base/exit_status.h"
#include "debug/server.h"
#include "rtl/debug/verilated.h"

using namespace mcpi;

int main(int argc, char **argv) {
    return exitStatus("mcpi-debug-rtl", [&] {
        if (argc > 1 && argv[1] == std::string("run")) {
            Simulation(parseOptions(argc, argv)).run();
            return 0;
        }
        if (argc < 4)
            throw UserError("wanted: mcpi-debug-rtl SOCKET NODES run …; ./mcpi debug starts it.");
        const unsigned nodes = std::atoi(argv[2]) == 2 ? 2 : 1;
        const Options options = parseOptions(argc - 2, argv + 2);
        debug::Timeline timeline(std::make_unique<debug::Verilated>(options, nodes));
        debug::Packets packets(argv[1]);
        debug::Server(timeline, packets).run();
        return 0;
    });
}
