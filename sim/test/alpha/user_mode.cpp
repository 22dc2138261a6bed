// SPDX-License-Identifier: BSD-2-Clause
// Runs a freestanding Alpha program on the model as qemu-alpha's user mode would: CALLSYS 83 hex
// with write (4) and exit (1), IMB 86 hex. Same program, same bytes on standard output, or the
// model is wrong.
#include <algorithm>
#include <cstdio>

#include "alpha/cpu.h"
#include "alpha/disassemble.h"
#include "base/error.h"
#include "base/loader.h"

namespace {

struct Nothing : mcpi::alpha::Outside {
    bool read(uint64_t, unsigned, uint64_t &) override { return false; }
    bool write(uint64_t, unsigned, uint64_t) override { return false; }
    uint64_t interrupts() override { return 0; }
    uint64_t cycles() override { return 0; }
};

} // namespace

// Calls enter PALcode at an address where there is none: they are served here instead.
int main(int argc, char **argv) try {
    if (argc != 2)
        return 2;
    const auto image = mcpi::readElf(argv[1]);
    mcpi::alpha::Ram ram(64 << 20);
    for (const auto &s : image.segments)
        ram.put(s.address, s.bytes);
    Nothing nothing;
    mcpi::alpha::Cpu cpu(ram, nothing);
    cpu.reset(0);
    cpu.palMode = false;
    cpu.pc = image.entry;
    for (uint64_t n = 0; n < 2000000000; ++n) {
        const auto &e = cpu.step();
        if (e.trapped) {
            std::fprintf(stderr, "trap %x at %llx: %s\n", e.vector,
                         static_cast<unsigned long long>(e.pc),
                         mcpi::alpha::disassemble(e.pc, e.instruction).c_str());
            return 1;
        }
        if (!cpu.palMode)
            continue;
        if (e.instruction == 0x83) {
            if (cpu.r[0] == 1)
                return 0;
            std::fwrite(ram.data() + cpu.r[17], 1, cpu.r[18], stdout);
        } else if (e.instruction != 0x86) { // IMB: there are no caches
            return 1;
        }
        cpu.pc = cpu.internal.exceptionAddress;
        cpu.palMode = false;
    }
    return 1;
} catch (const mcpi::UserError &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
}
