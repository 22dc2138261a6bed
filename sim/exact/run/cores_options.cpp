// SPDX-License-Identifier: BSD-2-Clause
#include <CLI/CLI.hpp>

#include "cores.h"

namespace mcpi::exact {

void addOptions(CLI::App &app, CoresOptions &o) {
    app.add_option("--machine", o.machine, "resolved machine, JSON")->required();
    app.add_option("--pal", o.node.pal, "PALcode, ELF")->required();
    app.add_option("--image", o.node.image, "the guest, ELF")->required();
    app.add_option("--phase", o.node.phase, "tick of the first timer interrupt; else one period");
    app.add_option("--max-ticks", o.maxTicks, "give up there");
    app.add_option("--out", o.out, "several cores: folder of counters, logs, console");
    app.add_option("--markers", o.node.markers, "several cores: instead of the image's");
    app.add_option("--boot", o.node.boot, "several cores: FIELD=VALUE of the boot block");
    app.add_option("--seed", o.seed, "several cores: phase of the timer");
    app.add_flag("--history", o.history, "several cores: what all did, history.csv");
    app.add_flag("--ticks", o.ticks, "several cores: every tick, ticks.K.csv");
    app.add_option("--take", o.take, "several cores: functions that take a lock, in hex")
        ->delimiter(',');
    app.add_option("--release", o.release, "several cores: functions that release one")
        ->delimiter(',');
}

} // namespace mcpi::exact
