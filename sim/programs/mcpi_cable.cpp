// SPDX-License-Identifier: BSD-2-Clause
// mcpi-cable: two Verilated boards at their pins and the cable between them, until standard input
// ends. tools/mcpi/engines/board/cabled.py writes its words: folder of the serial ports, address
// of the PHYs, seed and share of what is lost, then for client and server half a period and first
// rise of the node's clock and of the 100 MHz clock (fs), and the delay to the other (10 ns).
#include <cstdio>
#include <cstdlib>

#include "base/error.h"
#include "base/exit_status.h"
#include "rtl/cable/cabled_boards.h"

int main(int argc, char **argv) {
    return mcpi::exitStatus("mcpi-cable", [&] {
        if (argc != 15)
            throw mcpi::UserError("14 words are wanted; start it by ./mcpi board simulate");
        mcpi::CableOptions options;
        char **word = argv + 1;
        const auto number = [&] { return std::strtoll(*word++, nullptr, 10); };
        options.out = *word++;
        options.phy = number();
        options.seed = number();
        options.loss = std::strtod(*word++, nullptr);
        for (mcpi::BoardPins &side : options.side) {
            for (mcpi::Quartz *clock : {&side.node, &side.quarter}) {
                clock->half = number();
                clock->phase = number();
            }
            side.delay = number();
        }
        mcpi::CabledBoards boards(options);
        std::fprintf(stderr, "ready %s/serial.0 %s/serial.1\n", options.out.c_str(),
                     options.out.c_str());
        boards.run();
        return 0;
    });
}
