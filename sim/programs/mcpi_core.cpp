// SPDX-License-Identifier: BSD-2-Clause
// mcpi-core: the processor alone against the model (docs/verification/random-tests.md).
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/exit_status.h"
#include "bench/core/bench.h"
#include "bench/core/mutants.h"

namespace {

constexpr const char *trapNames[] = {"mchk", "arith", "interrupt", "unalign", "opcdec", "fen"};

struct Options {
    std::string machine, program, again, words;
    std::vector<unsigned> mutants;
    uint64_t instructions = 100000;
    bool ports = false, skips = false;
    mcpi::Weather weather;
};

Options parse(int argc, char **argv) {
    Options o;
    CLI::App app{"The processor alone against the model: docs/verification/random-tests.md."};
    app.add_option("--machine", o.machine, "resolved machine, JSON")->required();
    app.add_option("--program", o.program, "ELF")->required();
    app.add_option("--instructions", o.instructions, "after which the guest is asked to end");
    app.add_option("--seed", o.weather.seed, "of everything that is random");
    app.add_option("--interrupt-every", o.weather.interruptEvery, "instructions outside PAL mode");
    app.add_option("--dma-every", o.weather.dmaEvery, "ticks");
    app.add_option("--slow-read-in", o.weather.slowReadIn, "one read of so many is slow");
    app.add_option("--withhold", o.weather.withholdPercent, "clocks without a tick, percent");
    app.add_flag("--withhold-apart", o.weather.withholdApart, "and all else stays as it is");
    app.add_option("--cold-every", o.weather.coldEvery, "instructions from one cold start on");
    app.add_flag("--ports", o.ports, "say a digest of what leaves the core by its ports");
    app.add_flag("--skip", o.skips, "one tick for several in which the core does nothing");
    app.add_option("--again", o.again, "the line that repeats this run, for reports");
    app.add_option("--mutants", o.mutants, "judge each of these mutants of the Verilog");
    app.add_option("--words", o.words, "append each instruction word that retired to this file");
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp &help) {
        std::exit(app.exit(help));
    } catch (const CLI::ParseError &error) {
        throw mcpi::UserError(error.what());
    }
    const bool given = !o.again.empty();
    for (int i = 0; i < argc && !given; ++i)
        o.again += std::string(i ? " " : "") + argv[i];
    return o;
}

nlohmann::ordered_json report(const mcpi::CoreBench &bench) {
    nlohmann::ordered_json said = {{"instructions", bench.lockstep().instructions},
                                   {"ticks", bench.ticks()},
                                   {"clocks", bench.clocks},
                                   {"distinct_words", bench.words.size()},
                                   {"reads", bench.around.reads},
                                   {"writes", bench.around.writes},
                                   {"dma", bench.around.dmas},
                                   {"dirty_misses", bench.around.dirtyMisses},
                                   {"io", bench.around.ios},
                                   {"errors", bench.around.errors}};
    for (unsigned i = 0; i < bench.trapped.size(); ++i)
        said["traps"][trapNames[i]] = bench.trapped[i];
    said["owners"] = bench.owned;
    said["opcodes"] = bench.opcodes;
    said["events"] = bench.eventDigest;
    if (bench.ports)
        said["ports"] = bench.portDigest;
    said["coverage"] = bench.coverage.bins();
    return said;
}

void run(const Options &o) {
    const mcpi::Machine machine(o.machine);
    mcpi::CoreBench bench(machine, o.weather, o.again);
    bench.ports = o.ports;
    bench.skips = o.skips;
    bench.place(mcpi::readElf(o.program));
    if (!o.mutants.empty()) {
        judgeMutants(bench, o.instructions, o.mutants, [&bench] { return report(bench).dump(); });
        return;
    }
    const auto begun = std::chrono::steady_clock::now();
    bench.run(o.instructions);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begun;
    auto said = report(bench);
    said["wall_seconds"] = wall.count();
    std::printf("%s\n", said.dump().c_str());
    if (!o.words.empty()) {
        std::ofstream file(o.words, std::ios::binary | std::ios::app);
        for (const uint32_t word : bench.words)
            file.write(reinterpret_cast<const char *>(&word), sizeof word);
    }
}

} // namespace

int main(int argc, char **argv) {
    return mcpi::exitStatus("mcpi-core", [&] {
        run(parse(argc, argv));
        return 0;
    });
}
