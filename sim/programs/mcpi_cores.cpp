// SPDX-License-Identifier: BSD-2-Clause
// mcpi-cores: the RTL of one node of several cores, as mcpi-exact runs one (multiprocessor.md).
#include <CLI/CLI.hpp>
#include <cstdio>

#include "base/exit_status.h"
#include "rtl/cores/cores.h"

int main(int argc, char **argv) {
    CLI::App app{"The RTL of one node of several cores, every tick of it; see multiprocessor.md."};
    mcpi::cores::CoresOptions o;
    o.maxTicks = 10'000'000;
    app.add_option("--machine", o.machine, "resolved machine, JSON")->required();
    app.add_option("--node-json", o.nodeJson, "Node.json beside its Verilog")->required();
    app.add_option("--pal", o.node.pal, "PALcode, ELF")->required();
    app.add_option("--image", o.node.image, "the guest, ELF")->required();
    app.add_option("--phase", o.node.phase, "tick of the first timer interrupt; else from --seed");
    app.add_option("--max-ticks", o.maxTicks, "give up there");
    app.add_option("--out", o.out, "folder of counters, logs, console");
    app.add_option("--markers", o.node.markers, "instead of the image's");
    app.add_option("--boot", o.node.boot, "FIELD=VALUE of the boot block");
    app.add_option("--seed", o.seed, "phase of the timer");
    app.add_flag("--ticks", o.ticks, "every tick, ticks.K.csv");
    app.add_flag("--passages", o.logs.passages, "each passage of a measured place, passages.K.csv");
    app.add_option("--tick-log-of", o.logs.tickLog,
                   "the core whose measured ticks are in ticks.csv");
    app.add_flag("--history", o.history, "what all did, history.csv");
    app.add_option("--backing-latency", o.latency.high, "clocks that RAM takes, drawn from 1 up");
    app.add_option("--withhold", o.withholdPercent, "clocks without a tick, percent, at random")
        ->check(CLI::Range(0, 90));
    CLI11_PARSE(app, argc, argv);
    return mcpi::exitStatus("mcpi-cores", [&] {
        mcpi::cores::Cores cores(o);
        const unsigned code = cores.run();
        std::fputs(cores.console().c_str(), stdout);
        return static_cast<int>(code);
    });
}
