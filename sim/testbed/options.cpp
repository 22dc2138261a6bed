// SPDX-License-Identifier: BSD-2-Clause
#include "options.h"

#include <CLI/CLI.hpp>
#include <map>

#include "base/error.h"

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

/// `--node` and `--wire`: the node's number, and the text after the colon.
std::pair<NodeOptions *, std::string> ofNode(Options &o, const char *option,
                                             const std::string &text) {
    if (text.size() < 3 || (text[0] != '0' && text[0] != '1') || text[1] != ':')
        throw UserError(option + (" " + text) + ": N:key=value is wanted, with node 0 or 1.");
    return {&o.nodes[static_cast<std::size_t>(text[0] - '0')], text.substr(2)};
}

/// N:key=value
void nodeOption(Options &o, const std::string &text) {
    const auto [node, rest] = ofNode(o, "--node", text);
    const auto equals = rest.find('=');
    if (equals == std::string::npos)
        throw UserError("--node " + text + ": N:key=value is wanted, with node 0 or 1.");
    const std::string key = rest.substr(0, equals), value = rest.substr(equals + 1);
    if (key == "pal")
        node->pal = value;
    else if (key == "image")
        node->image = value;
    else if (key == "markers")
        node->markers = value;
    else if (key == "calls")
        node->calls = value;
    else if (key == "guard")
        node->guard = value;
    else if (key == "unwritten")
        node->unwritten = value;
    else if (key == "phase")
        node->phase = number("--node " + text.substr(0, 2) + key, value);
    else if (key.rfind("boot.", 0) == 0)
        node->boot.push_back(key.substr(5) + "=" + value);
    else if (key.rfind("register.", 0) == 0)
        node->registers.emplace_back(key.substr(9), number("--node " + key, value));
    else
        throw UserError("--node " + text +
                        ": no such key; there are pal, image, markers, calls, guard, "
                        "unwritten, phase, boot.FIELD and register.NAME.");
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

/// FROM:UNTIL
void spanOption(Options &o, const std::string &text) {
    const auto colon = text.find(':');
    if (colon == std::string::npos)
        throw UserError("--span " + text + ": FROM:UNTIL is wanted, two ticks.");
    o.span.from = number("--span", text.substr(0, colon));
    o.span.until = number("--span", text.substr(colon + 1));
    if (!o.span.wanted())
        throw UserError("--span " + text + ": it ends before it begins.");
}

const struct {
    const char *name;
    Mode mode;
    const char *about;
} modes[] = {
    {"run", Mode::run, "two nodes from reset to exit, measured and checked; files in --out"},
    {"serve", Mode::serve,
     "node 0 alone; its peer's frames come and go on standard input and output"},
    {"board", Mode::board,
     "boards without hardware: their host links are pseudo-terminals, serial.0 and serial.1 in "
     "--out; until standard input ends"},
    {"gates", Mode::gates,
     "as run, with netlists for nodes: they show no retirements, so whether a guest has ended is "
     "asked over the host link; implies --measure-by-registers and --no-lockstep"}};
const char *const examples =
    "Two nodes that play ping-pong, as ./mcpi run starts them (command.txt in its folder):\n"
    "  mcpi-sim run --out results --machine machine.json --node-json Node.json \\\n"
    "    --node 0:pal=pal.elf --node 0:image=image.elf --node 1:pal=pal.elf \\\n"
    "    --node 1:image=image.elf --node 0:boot.round_trips=10 --node 1:boot.round_trips=10\n"
    "All options of a mode: mcpi-sim run --help. Files and checks: docs/reference/simulator.md.";

/// Options that the command line gives as text, until they are parsed.
struct Texts {
    std::vector<std::string> nodes, wires;
    std::string latency = "1", span;
};

void offerMachine(CLI::App &app, Options &o, Texts &texts, bool verilated) {
    app.add_option("--machine", o.machine, "resolved machine, JSON")->required();
    app.add_option("--node-json", o.nodeJson, "Node.json of the elaboration")->required(verilated);
    app.add_option("--seed", o.seed, "initial phases: timers not given, both bit clocks");
    app.add_option("--cable-ticks", o.cable, "propagation delay of the wire, ticks");
    app.add_option(
        "--backing-latency", texts.latency,
        "clocks a backing read takes: N, or LOW-HIGH at random; no result depends on it");
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
    app.add_flag("--no-skip", o.noSkip, "simulate idle ticks one by one; no result depends on it");
    if (verilated)
        app.add_option("--withhold", o.withholdPercent,
                       "clocks without a tick, percent, at random; no result depends on it")
            ->check(CLI::Range(0, 90));
}

void offerProgram(CLI::App &app, Options &o, Texts &texts) {
    app.add_option("--node", texts.nodes,
                   "N:key=value; N is 0 (client) or 1 (server), key one of pal, image, markers, "
                   "calls, guard, unwritten (files), phase (ticks to the first timer interrupt), "
                   "boot.FIELD, register.NAME (host register)");
    app.add_option("--hang-ticks", o.hangTicks, "give up when a node retires nothing for so long");
    app.add_flag("--lockstep,!--no-lockstep", o.lockstep,
                 "check every instruction against the model (on)");
    app.add_option("--reproduce", o.reproduce, "the line that repeats this run, for reports");
    app.add_flag("--load-by-link", o.loadByLink, "load RAM through the host link, as on a board");
}

void offerFiles(CLI::App &app, Options &o, Texts &texts) {
    app.add_option("--out", o.out, "folder for the results")->required();
    app.add_flag("--compress", o.compress,
                 "write events.csv, stamps.csv, spells.N.csv, lance.N.csv and wire.pcap as gzip "
                 "files, NAME.gz, if they have 1 MiB or more");
    app.add_option("--wire", texts.wires,
                   "N:key=value, what happens to frames that node N sends: lose, corrupt, "
                   "duplicate, delay, reorder (probabilities), delay_ticks, patience_ticks, seed, "
                   "script and replay (files)");
}

void offerMeasurement(CLI::App &app, Options &o) {
    app.add_option("--max-ticks", o.maxTicks, "give up at this tick, exit status 1; 0: never");
    app.add_flag("--oracle,!--no-oracle", o.oracle,
                 "at the end, compare every counter with what retirements and the memory model "
                 "say (on)");
    app.add_flag("--measure-by-registers", o.byRegisters,
                 "host registers measure_from and measure_to arm and freeze the counters, as on a "
                 "board; implies --no-oracle");
}

void offerWaves(CLI::App &app, Options &o) {
    app.add_option("--waves", o.waves,
                   "write this node's signals in the ticks of --span into waves.vcd; only of a "
                   "program that was built with waveforms")
        ->check(CLI::Range(0, 1));
    app.add_option("--waves-scope", o.waveScopes,
                   "only the signals of this instance and what is in it; repeatable");
}

void offerTraces(CLI::App &app, Options &o, Texts &texts) {
    app.add_option("--tick-log", o.tickLog,
                   "write every tick of this node's window 1 into ticks.csv")
        ->check(CLI::Range(0, 1));
    app.add_flag("--passages", o.passages,
                 "write what each passage of either node's window 1 had into passages.N.csv");
    app.add_option("--passages-of", o.passagesOf, "the window of --passages")
        ->check(CLI::Range(1, 4))
        ->needs("--passages")
        ->excludes("--tick-log");
    app.add_flag("--spells", o.spells,
                 "write the owners of either node's ticks from marker to marker into spells.N.csv, "
                 "and the steps of its LANCE into lance.N.csv");
    app.add_option("--trace", o.trace,
                   "write every instruction of this node's window 1 into trace.csv")
        ->check(CLI::Range(0, 1));
    app.add_option("--span", texts.span,
                   "FROM:UNTIL: write each of these ticks of either node into span.N.csv");
    app.add_flag("--cold", o.cold,
                 "node 0's first measured invocation starts from empty caches; counters.json "
                 "holds that invocation alone");
    app.add_flag("--live", o.live,
                 "also say both nodes' counters on standard error, as often as the progress: a "
                 "line `live JSON`; no result depends on it");
    app.add_option("--fork-cold", o.forkCold,
                   "also the run with --cold, in this folder: the process forks where the cold "
                   "invocation begins");
}

void offerCacheLogs(CLI::App &app, Options &o) {
    app.add_flag("--misses", o.misses,
                 "write the blocks that the caches miss in the ticks of --tick-log, and what they "
                 "displace, into misses.N.csv")
        ->needs("--tick-log")
        ->excludes("--cold")
        ->excludes("--fork-cold");
    app.add_flag("--evictions", o.evictions,
                 "write who was in the D-cache's lines that are filled in the window of --passages "
                 "into evictions.N.csv")
        ->needs("--passages");
}

void offerWhatIf(CLI::App &app, Options &o) {
    CLI::Option *whatIf = app.add_option(
        "--whatif", o.whatIf,
        "run a copy of the machines for each experiment of this file, in which the ticks that it "
        "names take no time; whatif.json is the only file");
    for (const char *other : {"--tick-log", "--passages", "--spells", "--trace", "--span", "--cold",
                              "--live", "--fork-cold"})
        whatIf->excludes(other);
}

/// Refuse options that do not go together.
void check(const Options &o) {
    if (!o.forkCold.empty() && (o.cold || o.byRegisters))
        throw UserError("--fork-cold: forks a run that is measured by its markers, and is not "
                        "cold itself.");
    if (o.live && (o.cold || o.byRegisters))
        throw UserError("--live: a look at the counters takes a copy of them, and this run keeps "
                        "its own there (--cold, --measure-by-registers).");
    if (o.waves >= 0 && !o.span.wanted())
        throw UserError("--waves: the ticks are missing. Name them with --span FROM:UNTIL.");
    if (!o.forkCold.empty() && o.span.wanted())
        throw UserError("--span: its ticks are of one run; leave --fork-cold out.");
    for (const NodeOptions &node : o.nodes)
        if ((!node.guard.empty() || !node.unwritten.empty()) && o.mode != Mode::run)
            throw UserError("--node N:guard, N:unwritten: only mode run has them.");
    const unsigned nodes = o.mode == Mode::board ? 0 : o.mode == Mode::serve ? 1 : 2;
    for (unsigned n = 0; n < nodes; ++n)
        if (o.nodes[n].pal.empty() || o.nodes[n].image.empty())
            throw UserError(nodes == 1 ? "serve needs --node 0:pal=FILE and 0:image=FILE."
                                       : "both nodes need --node N:pal=FILE and "
                                         "--node N:image=FILE.");
}

} // namespace

Options parseOptions(int argc, char **argv, bool verilated) {
    Options o;
    Texts texts;
    o.latency.seed = 0; // not given
    CLI::App app{"Verilated nodes and the Ethernet between them, every tick of them.", "mcpi-sim"};
    app.require_subcommand(1);
    app.footer(examples);
    for (const auto &[name, mode, about] : modes) {
        CLI::App &one = *app.add_subcommand(name, about);
        one.callback([&o, mode = mode] { o.mode = mode; });
        offerMachine(one, o, texts, verilated);
        if (mode != Mode::board)
            offerProgram(one, o, texts);
        if (mode != Mode::serve)
            offerFiles(one, o, texts);
        if (mode == Mode::run || mode == Mode::gates)
            offerMeasurement(one, o);
        if (mode == Mode::run)
            offerTraces(one, o, texts);
        if (mode == Mode::run && verilated)
            offerWaves(one, o);
        if (mode == Mode::run && !verilated)
            offerCacheLogs(one, o), offerWhatIf(one, o);
        if (mode == Mode::board)
            one.add_flag("--loopback", o.loopback,
                         "one board, whose cable leads back to itself, and no other");
    }
    try {
        std::vector<std::string> words(argv + 1, argv + argc);
        const bool help = !words.empty() && (words[0] == "-h" || words[0] == "--help");
        if (words.empty() || (words[0][0] == '-' && !help))
            throw UserError("the mode is missing: run, serve, board, gates. Type: mcpi-sim --help");
        std::reverse(words.begin(), words.end()); // as CLI11 takes them
        app.parse(std::move(words));
    } catch (const CLI::CallForHelp &help) {
        std::exit(app.exit(help));
    } catch (const CLI::ParseError &error) {
        throw UserError(error.what());
    }
    for (const auto &text : texts.nodes)
        nodeOption(o, text);
    for (const auto &text : texts.wires) {
        const auto [node, what] = ofNode(o, "--wire", text);
        node->wire.push_back(what);
    }
    latencyOption(o, texts.latency);
    if (!texts.span.empty())
        spanOption(o, texts.span);
    const bool gates = o.mode == Mode::gates;
    o.byRegisters |= gates;
    o.lockstep &= !gates;
    check(o);
    o.oracle &= !o.byRegisters;
    if (!o.latency.seed)
        o.latency.seed = o.seed;
    const bool given = !o.reproduce.empty();
    for (int i = 0; i < argc && !given; ++i)
        o.reproduce += (i ? " " : "") + std::string(argv[i]);
    return o;
}

} // namespace mcpi
