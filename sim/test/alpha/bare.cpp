// SPDX-License-Identifier: BSD-2-Clause
// The model alone in RAM, for tests. Standard input: "load ADDRESS BYTES" (hex) and "run", which
// starts at 10000 hex in PAL mode, prints every retirement and trap until HALT, then "end".
#include <cinttypes>
#include <cstdio>
#include <iostream>
#include <memory>
#include <sstream>

#include "alpha/cpu.h"

namespace {

using namespace mcpi::alpha;

constexpr uint64_t start = 0x10000, limit = 100000;

struct Nothing : Outside {
    bool read(uint64_t, unsigned, uint64_t &) override { return false; }
    bool write(uint64_t, unsigned, uint64_t) override { return false; }
    uint64_t interrupts() override { return 0; }
    uint64_t cycles() override { return 7; }
};

void print(const Effect &e) {
    const bool overflow = e.trapped && e.vector == vectorArithmetic; // retires, then traps
    if (!e.trapped || overflow) {
        std::printf("retired %" PRIx64, e.pc);
        if (e.writes)
            std::printf(" %u=%" PRIx64, e.reg, e.value);
        if (e.memory && e.store)
            std::printf(" store=%" PRIx64 ":%" PRIx64, e.address, e.storeData);
        else if (e.memory)
            std::printf(" load=%" PRIx64, e.address);
        std::printf("\n");
    }
    if (e.trapped)
        std::printf("trap %" PRIx64 " %x\n", e.exceptionAddress, e.vector);
}

} // namespace

int main() {
    auto ram = std::make_unique<Ram>(1 << 23);
    Nothing nothing;
    for (std::string line, word; std::getline(std::cin, line);) {
        std::istringstream in(line);
        in >> word;
        if (word == "load") {
            uint64_t address = 0;
            std::string bytes;
            in >> std::hex >> address >> bytes;
            for (std::size_t i = 0; i < bytes.size(); i += 2)
                ram->put(address + i / 2, 1, std::stoul(bytes.substr(i, 2), nullptr, 16));
        } else if (word == "run") {
            Cpu cpu(*ram, nothing);
            cpu.reset(start);
            for (uint64_t n = 0; n < limit && !cpu.halted; ++n)
                print(cpu.step());
            std::printf("end\n");
        }
    }
}
