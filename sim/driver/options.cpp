// SPDX-License-Identifier: BSD-2-Clause
#include "options.h"

#include <CLI/CLI.hpp>

#include "error.h"

namespace mcpi {
namespace {

uint64_t number(const std::string &what, const std::string &text) {
    try {
        std::size_t used = 0;
        const uint64_t value = std::stoull(text, &used, 0);
        if (used == text.size() && text[0] != '-')
            return value;
    } catch (const std::logic_error &) {
    }
    throw UserError(what + "=" + text + ": a number is wanted.");
}

/// N:key=value
void nodeOption(Options &o, const std::string &text) {
    const auto equals = text.find('=');
    if (text.size() < 3 || (text[0] != '0' && text[0] != '1') || text[1] != ':' ||
        equals == std::string::npos)
        throw UserError("--node " + text + ": N:key=value is wanted, with node 0 or 1.");
    NodeOptions &node = o.nodes[static_cast<std::size_t>(text[0] - '0')];
    const std::string key = text.substr(2, equals - 2), value = text.substr(equals + 1);
    if (key == "pal")
        node.pal = value;
    else if (key == "image")
        node.image = value;
    else if (key == "markers")
        node.markers = value;
    else if (key == "phase")
        node.phase = number("--node " + text.substr(0, equals), value);
    else if (key.rfind("boot.", 0) == 0)
        node.boot.push_back(key.substr(5) + "=" + value);
    else if (key.rfind("register.", 0) == 0)
        node.registers.emplace_back(key.substr(9), number("--node " + key, value));
    else
        throw UserError("--node " + text +
                        ": no such key; there are pal, image, markers, phase, "
                        "boot.FIELD and register.NAME.");
}

/// CLOCKS or LOW-HIGH
void latencyOption(Options &o, const std::string &text) {
    const auto dash = text.find('-');
    o.latency.low = static_cast<unsigned>(number("--backing-latency", text.substr(0, dash)));
    o.latency.high =
        dash == std::string::npos
            ? o.latency.low
            : static_cast<unsigned>(number("--backing-latency", text.substr(dash + 1)));
    if (o.latency.low < 1 || o.latency.high < o.latency.low || o.latency.high > 1000)
        throw UserError("--backing-latency " + text + ": 1 to 1000 clocks, low before high.");
}

} // namespace

Options parseOptions(int argc, char **argv) {
    Options o;
    std::vector<std::string> nodeTexts, wireTexts;
    std::string latency = "1";
    o.latency.seed = 0; // not given
    CLI::App app{"Two nodes and a wire, every tick of them. docs/simulator.md explains the files."};
    app.add_option("--out", o.out, "folder for the results");
    app.add_option("--machine", o.machine, "resolved machine, JSON")->required();
    app.add_option("--node-json", o.nodeJson, "Node.json of the elaboration")->required();
    app.add_option("--node", nodeTexts,
                   "N:key=value; N is 0 (client) or 1 (server), key one of pal, image, markers "
                   "(files), phase (ticks to the first timer interrupt), boot.FIELD, "
                   "register.NAME (host register)");
    app.add_option("--wire", wireTexts,
                   "N:key=value, what happens to frames that node N sends: lose, corrupt, "
                   "duplicate, delay, reorder (probabilities), delay_ticks, patience_ticks, seed, "
                   "script and replay (files)");
    app.add_option("--seed", o.seed, "initial phases: timers not given, both bit clocks");
    app.add_option("--max-ticks", o.maxTicks, "give up at this tick, exit status 1; 0: never");
    o.hangTicks = 2000000;
    app.add_option("--hang-ticks", o.hangTicks, "give up when a node retires nothing for so long");
    o.cable = 9;
    app.add_option("--cable-ticks", o.cable, "propagation delay of the wire, ticks");
    app.add_option(
        "--backing-latency", latency,
        "clocks a backing read takes: N, or LOW-HIGH at random; no result depends on it");
    app.add_flag("--lockstep,!--no-lockstep", o.lockstep,
                 "check every instruction against the model (on)");
    app.add_option("--reproduce", o.reproduce, "the line that repeats this run, for reports");
    app.add_option("--backing-seed", o.latency.seed,
                   "what random backing latencies begin with; else --seed");
    app.add_option("--backing-bytes", o.backingBytes,
                   "RAM there is below the tags, in bytes; pages get theirs when first written")
        ->check(CLI::Range(uint64_t{65536}, uint64_t{64} << 20));
    app.add_option("--page-bytes", o.pageBytes, "these pages, a power of two")
        ->check([](const std::string &text) {
            const uint64_t bytes = number("--page-bytes", text);
            const bool fits = bytes >= 256 && bytes <= 65536 && !(bytes & (bytes - 1));
            return fits ? "" : "a power of two from 256 to 65536 is wanted";
        });
    app.add_option("--tick-log", o.tickLog,
                   "write every tick of this node's window 1 into ticks.csv")
        ->check(CLI::Range(0, 1));
    app.add_option("--trace", o.trace,
                   "write every instruction of this node's window 1 into trace.csv")
        ->check(CLI::Range(0, 1));
    app.add_flag("--record", o.record,
                 "write every step of both nodes into steps.N.bin (docs/model.md)");
    app.add_flag("--cold", o.cold,
                 "node 0's first measured invocation starts from empty caches; counters.json "
                 "holds that invocation alone");
    app.add_option("--cold-beside", o.coldBeside,
                   "also the run with --cold, in this folder: the two part where the cold "
                   "invocation begins");
    app.add_flag("--oracle,!--no-oracle", o.oracle,
                 "at the end, compare every counter with what retirements and the memory model "
                 "say (on)");
    app.add_flag("--load-by-link", o.loadByLink, "load RAM through the host link, as on a board");
    app.add_flag("--outside", o.outside,
                 "node 0 alone: frames come and go on standard input and output, without counters");
    app.add_flag("--measure-by-registers", o.byRegisters,
                 "host registers measure_from and measure_to arm and freeze the counters, as on a "
                 "board; implies --no-oracle");
    app.add_flag("--serial", o.serial,
                 "two boards without hardware: their consoles are pseudo-terminals, serial.0 and "
                 "serial.1 in --out; until standard input ends");
    app.add_flag("--looped", o.looped,
                 "with --serial: no wire between the two, each one's cable leads back to itself");
    app.add_flag("--netlist", o.netlist,
                 "the nodes are netlists and show no retirements: whether a guest has ended is "
                 "asked over the host link; implies --measure-by-registers, --no-lockstep");
    app.add_flag("--no-skip", o.noSkip, "simulate idle ticks one by one; no result depends on it");
    try {
        app.parse(argc, argv);
        for (const auto &text : nodeTexts)
            nodeOption(o, text);
        for (const auto &text : wireTexts) {
            if (text.size() < 3 || (text[0] != '0' && text[0] != '1') || text[1] != ':')
                throw UserError("--wire " + text + ": N:key=value is wanted, with node 0 or 1.");
            o.nodes[static_cast<std::size_t>(text[0] - '0')].wire.push_back(text.substr(2));
        }
        latencyOption(o, latency);
        if (o.record && !o.oracle)
            throw UserError("--record: the oracles make it; leave --no-oracle out.");
        if (!o.coldBeside.empty() &&
            (o.cold || o.byRegisters || o.netlist || o.outside || o.serial))
            throw UserError("--cold-beside: beside a run that is measured by its markers, and not "
                            "cold itself.");
        const unsigned nodes = o.outside ? 1 : 2;
        for (unsigned n = 0; n < nodes; ++n)
            if (!o.serial && (o.nodes[n].pal.empty() || o.nodes[n].image.empty()))
                throw UserError(o.outside ? "--outside needs --node 0:pal=FILE and 0:image=FILE."
                                          : "both nodes need --node N:pal=FILE and "
                                            "--node N:image=FILE.");
        if (o.out.empty() && !o.outside)
            throw UserError("--out is required");
    } catch (const CLI::CallForHelp &help) {
        std::exit(app.exit(help));
    } catch (const CLI::ParseError &error) {
        throw UserError(error.what());
    }
    o.byRegisters |= o.netlist;
    o.lockstep &= !o.netlist;
    o.oracle &= !o.byRegisters;
    if (!o.latency.seed)
        o.latency.seed = o.seed;
    const bool given = !o.reproduce.empty();
    for (int i = 0; i < argc && !given; ++i)
        o.reproduce += (i ? " " : "") + std::string(argv[i]);
    return o;
}

} // namespace mcpi
