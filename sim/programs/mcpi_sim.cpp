// SPDX-License-Identifier: BSD-2-Clause
// mcpi-sim: two Verilated nodes and the Ethernet between them, or one of them and an external peer
// (docs/reference/simulator.md).
#include <iostream>

#include "base/exit_status.h"
#include "rtl/boards.h"
#include "rtl/simulation.h"
#include "testbed/external_peer.h"

int main(int argc, char **argv) {
    return mcpi::exitStatus("mcpi-sim", [&] {
        const mcpi::Options options = mcpi::parseOptions(argc, argv);
        if (options.mode == mcpi::Mode::serve) {
            const mcpi::Machine machine(options.machine);
            const mcpi::NodeInfo info(options.nodeJson);
            mcpi::RtlStation node(machine, info, options, 0);
            node.start();
            mcpi::ExternalPeer(options, node).run(std::cin, std::cout);
        } else if (options.mode == mcpi::Mode::board)
            mcpi::SimulatedBoards(options).run();
        else
            mcpi::Simulation(options).run();
        return 0;
    });
}
