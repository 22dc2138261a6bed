// SPDX-License-Identifier: BSD-2-Clause
// mcpi-sim: two Verilated nodes and an Ethernet wire (docs/simulator.md),
// or one of them and a stranger.
#include <cstdio>
#include <exception>
#include <iostream>

#include "error.h"
#include "outside.h"
#include "serial.h"
#include "simulation.h"

int main(int argc, char **argv) {
    try {
        const mcpi::Options options = mcpi::parseOptions(argc, argv);
        if (options.outside)
            mcpi::Outside(options).run(std::cin, std::cout);
        else if (options.serial)
            mcpi::SerialNodes(options).run();
        else
            mcpi::Simulation(options).run();
        return 0;
    } catch (const mcpi::UserError &error) {
        std::fprintf(stderr, "mcpi-sim: %s\n", error.what());
        return 2;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "mcpi-sim: %s\n", error.what());
        return 1;
    }
}
