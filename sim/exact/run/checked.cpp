// SPDX-License-Identifier: BSD-2-Clause
#include "checked.h"

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "cores.h"

namespace mcpi::exact {

const Options &checked(const Options &o) {
    const struct {
        const char *name;
        bool given;
    } options[] = {{"--measure-by-registers", o.byRegisters},
                   {"--load-by-link", o.loadByLink},
                   {"--backing-bytes", o.backingBytes != 0},
                   {"--backing-latency", o.latency.high > 1}};
    for (const auto &option : options)
        if (option.given)
            throw UserError(std::string(option.name) +
                            ": the exact engine does not have it; use mcpi-sim.");
    for (const auto &node : o.nodes)
        if (!node.registers.empty())
            throw UserError("--node N:register." + node.registers.front().first +
                            ": the exact engine does not have it; use mcpi-sim.");
    if (o.mode != Mode::run && o.mode != Mode::serve)
        throw UserError("mcpi-exact has modes run and serve; for others use mcpi-sim.");
    return o;
}

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
    app.add_flag("--passages", o.logs.passages,
                 "several cores: each passage of a measured place, passages.K.csv");
    app.add_option("--tick-log-of", o.logs.tickLog,
                   "several cores: the core whose measured ticks are in ticks.csv");
    app.add_option("--span", o.span, "several cores: FROM:UNTIL, span.K.csv and accesses.K.csv")
        ->delimiter(':');
    app.add_option("--span-of", o.spanOf, "several cores: K, the core of --span");
    app.add_option("--take", o.take, "several cores: functions that take a lock, in hex")
        ->delimiter(',');
    app.add_option("--release", o.release, "several cores: functions that release one")
        ->delimiter(',');
}

} // namespace mcpi::exact
