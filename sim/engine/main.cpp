// SPDX-License-Identifier: BSD-2-Clause
// mcpi-exact: one node without a network adapter, every tick of it (exact-engine.md).
#include <CLI/CLI.hpp>
#include <cinttypes>
#include <cstdio>
#include <fstream>

#include "base/bootparams.h"
#include "base/error.h"
#include "base/loader.h"
#include "system_registers.h"

namespace {

using namespace mcpi;

/// A row of ticks.csv (simulator.md).
void log(std::ostream &out, const exact::Lived &t) {
    char pc[20] = "";
    if (t.owner == exact::Owner::issue)
        std::snprintf(pc, sizeof pc, "%" PRIx64, t.pc);
    out << t.tick << ",1," << exact::ownerNames[static_cast<int>(t.owner)] << ',' << pc << ',';
    const char *between = "";
    for (unsigned n = 0; t.events >> n; ++n)
        if (t.events >> n & 1) {
            out << between << exact::eventName(n);
            between = " ";
        }
    out << '\n';
}

int run(const std::string &machine, const std::string &pal, const std::string &image,
        uint64_t phase, uint64_t most, const std::string &file) {
    const Machine m(machine);
    alpha::Ram ram(m.parameter("memory.size"));
    for (const auto &path : {pal, image}) {
        const Image read = readElf(path);
        checkPlacement(m, read);
        for (const auto &s : read.segments)
            std::copy(s.bytes.begin(), s.bytes.end(), ram.data() + s.address);
    }
    const Segment boot = bootBlock(m, bootFields(m, 0, {}));
    std::copy(boot.bytes.begin(), boot.bytes.end(), ram.data() + boot.address);
    exact::SystemRegisters system(m, 0, phase);
    exact::Core core(m, ram, system);
    core.reset(m.base("ram", "pal"));
    std::ofstream out(file);
    out << "tick,count,owner,pc,events\n";
    while (!system.exited && !core.halted() && core.now() < most)
        log(out, core.live());
    if (!out.flush())
        throw UserError(file + ": cannot be written.");
    std::fputs(system.console.c_str(), stdout);
    if (!system.exited && core.halted())
        throw RunError("the guest has halted at tick " + std::to_string(core.now()) + ".");
    if (!system.exited)
        throw RunError("gave up at tick " + std::to_string(core.now()) + " (--max-ticks).");
    return static_cast<int>(system.exitCode);
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app{"One node without a network adapter, every tick of it: exact-engine.md."};
    std::string machine, pal, image, file;
    uint64_t phase = 0, most = 10000000;
    app.add_option("--machine", machine, "resolved machine, JSON")->required();
    app.add_option("--pal", pal, "PALcode, ELF")->required();
    app.add_option("--image", image, "the guest, ELF")->required();
    app.add_option("--phase", phase, "tick of the first timer interrupt; else one period");
    app.add_option("--max-ticks", most, "give up there");
    app.add_option("--tick-log", file, "every tick, as ticks.csv of mcpi-sim")->required();
    CLI11_PARSE(app, argc, argv);
    try {
        return run(machine, pal, image, phase, most, file);
    } catch (const mcpi::UserError &error) {
        std::fprintf(stderr, "mcpi-exact: %s\n", error.what());
        return 2;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "mcpi-exact: %s\n", error.what());
        return 1;
    }
}
