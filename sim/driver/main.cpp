// SPDX-License-Identifier: BSD-2-Clause
// mcpi-sim: two Verilated nodes and an Ethernet wire (docs/simulator.md).
#include <cstdio>
#include <exception>

#include "error.h"
#include "simulation.h"

int main(int argc, char **argv) {
    try {
        mcpi::Simulation(mcpi::parseOptions(argc, argv)).run();
        return 0;
    } catch (const mcpi::UserError &error) {
        std::fprintf(stderr, "mcpi-sim: %s\n", error.what());
        return 2;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "mcpi-sim: %s\n", error.what());
        return 1;
    }
}
