// SPDX-License-Identifier: BSD-2-Clause
#include "alone.h"

#include <cstdio>
#include <fstream>

#include "base/bootparams.h"
#include "base/error.h"
#include "base/loader.h"
#include "exact/node/node.h"
#include "tick_row.h"

namespace mcpi::exact {

int runAlone(const std::string &machine, const std::string &pal, const std::string &image,
             uint64_t phase, uint64_t most, const std::string &file) {
    const Machine m(machine);
    NodeSetting setting;
    setting.timerPhase = phase;
    Node node(m, setting);
    for (const auto &path : {pal, image}) {
        const Image read = readElf(path);
        checkPlacement(m, read);
        for (const auto &s : read.segments)
            node.place(s);
    }
    node.place(bootBlock(m, bootFields(m, 0, {})));
    node.reset();
    const SystemRegisters &system = node.system();
    Silent wire;
    Unseen unseen;
    Runs runs;
    std::ofstream out;
    const Runs::Taker taker = [&](const TickRun &one) { writeTickRow(out, one, false); };
    runs.begins({}, taker);
    if (!file.empty()) {
        out.open(file);
        out << "tick,count,owner,pc,events\n";
    }
    while (!system.exited && !node.halted() && node.now() < most) {
        const TickRun &run = node.step(wire, most);
        if (file.empty()) {
            node.glide(most, unseen);
            continue;
        }
        writeTickRow(out, run, false);
        node.glide(most, runs);
    }
    if (!file.empty() && !out.flush())
        throw UserError(file + ": cannot be written.");
    std::fputs(system.console.c_str(), stdout);
    if (!system.exited && node.halted())
        throw RunError("the guest has halted at tick " + std::to_string(node.now()) + ".");
    if (!system.exited)
        throw RunError("gave up at tick " + std::to_string(node.now()) + " (--max-ticks).");
    return static_cast<int>(system.exitCode);
}

} // namespace mcpi::exact
