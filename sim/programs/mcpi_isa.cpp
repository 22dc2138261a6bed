// SPDX-License-Identifier: BSD-2-Clause
// mcpi-isa: PALcode and an image on the instruction-set model alone, with console and timer.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "alpha/devices.h"
#include "alpha/disassemble.h"
#include "alpha/tlb_shape.h"
#include "base/bootparams.h"
#include "base/exit_status.h"
#include "base/loader.h"

namespace {

using namespace mcpi;

struct Options {
    std::string machine, pal, image;
    std::vector<std::string> boot;
    uint64_t node = 0, maxInstructions = 1000000000, trace = 0;
    bool step = false;
};

void printEffect(const alpha::Effect &e) {
    std::fprintf(stderr, "%012" PRIx64 "%s %-32s", e.pc & (uint64_t{0xFFFFFFFFFFFF} - 1),
                 e.pc & 1 ? " pal" : "    ", alpha::disassemble(e.pc, e.instruction).c_str());
    if (e.memory)
        std::fprintf(stderr, " [%" PRIx64 "]", e.address);
    if (e.store)
        std::fprintf(stderr, " <- %" PRIx64, e.storeData);
    if (e.writes)
        std::fprintf(stderr, " $%u = %" PRIx64, e.reg, e.value);
    if (e.trapped)
        std::fprintf(stderr, " trap %04x from %" PRIx64, e.vector, e.exceptionAddress);
    std::fputc('\n', stderr);
}

/// Runs until the guest exits, halts for good, or the limit; returns the exit status.
int run(const Options &o) {
    const Machine machine(o.machine);
    alpha::Ram ram(machine.parameter("memory.size"));
    for (const auto &path : {o.pal, o.image}) {
        const Image image = readElf(path);
        checkPlacement(machine, image);
        for (const auto &s : image.segments)
            ram.put(s.address, s.bytes);
    }
    const Segment boot = bootBlock(machine, bootFields(machine, o.node, o.boot));
    ram.put(boot.address, boot.bytes);

    alpha::Devices devices(machine, o.node, stdout);
    alpha::Cpu cpu(ram, devices, alpha::tlbShape(machine));
    cpu.reset(machine.base("ram", "pal"));
    devices.follow(cpu.executed);
    const uint64_t &instructions = cpu.executed;
    while (instructions < o.maxInstructions && !devices.exited && !cpu.halted) {
        if (cpu.waitMask) {
            while (!(devices.interrupts() & cpu.waitMask))
                if (!devices.skip())
                    throw RunError("asleep, and no interrupt will come: the timer is off.");
            cpu.waitMask = 0;
        }
        if (cpu.interruptDue())
            cpu.enter(alpha::vectorInterrupt, cpu.programCounter());
        if (o.step || instructions < o.trace) {
            const auto &effect = cpu.step();
            if (instructions <= o.trace)
                printEffect(effect);
        } else {
            cpu.run(std::min(devices.untilTimer(), o.maxInstructions - instructions));
        }
        devices.advance();
    }
    std::fflush(stdout);
    if (devices.exited) {
        std::fprintf(stderr, "exit %u after %" PRIu64 " instructions\n", devices.exitCode,
                     instructions);
        return devices.exitCode ? 1 : 0;
    }
    std::fprintf(stderr, "%s at pc %" PRIx64 " after %" PRIu64 " instructions\n",
                 cpu.halted ? "halted" : "still running", cpu.programCounter(), instructions);
    for (unsigned i = 0; i < 32; ++i)
        std::fprintf(stderr, "$%-2u %016" PRIx64 "%s", i, cpu.r[i], i % 4 == 3 ? "\n" : "  ");
    return 1;
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app{"PALcode and an image on the instruction-set model alone: console, exit, timer."};
    Options o;
    app.add_option("--machine", o.machine, "resolved machine, JSON")->required();
    app.add_option("--pal", o.pal, "PALcode, ELF")->required();
    app.add_option("--boot", o.boot, "field=value of the boot-parameter block");
    app.add_option("--node", o.node, "node number");
    app.add_option("--max-instructions", o.maxInstructions, "give up after so many");
    app.add_option("--trace", o.trace, "print the first N instructions on standard error");
    app.add_flag("--step", o.step, "one instruction at a time, as lock-step does; slower");
    app.add_option("image", o.image, "image, ELF")->required();
    CLI11_PARSE(app, argc, argv);
    return exitStatus("mcpi-isa", [&] { return run(o); });
}
