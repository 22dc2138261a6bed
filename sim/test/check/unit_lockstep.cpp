// SPDX-License-Identifier: BSD-2-Clause
// Lock-step judged: a second model plays the RTL, and lies about one retirement in one way. Each
// lie must end in a report with twenty retirements, the registers and the line that repeats the
// run.
#include <cstdio>
#include <cstring>
#include <functional>
#include <iterator>
#include <memory>

#include "check/lockstep.h"

namespace {

using namespace mcpi;

constexpr uint64_t lieAt = 40; // the first retirement that is falsified

/// Runs `program` and reports the truth.
struct Played {
    alpha::Ram ram{64 << 20};
    struct : alpha::Outside {
        bool read(uint64_t, unsigned, uint64_t &v) override {
            v = 99;
            return true;
        }
        bool write(uint64_t, unsigned, uint64_t) override { return true; }
        uint64_t interrupts() override { return 5; }
        uint64_t cycles() override { return 1234; }
    } outside;
    alpha::Cpu cpu{ram, outside};
};

// ldah $1,4($31); lda $2,100($2); stq $2,0($1); ldq $3,0($1); addq/v $3,$2,$4; ldl_l $5,0($1);
// stl_c $5,0($1); br .-28
const uint32_t program[] = {0x243F0004, 0x20420064, 0xB4410000, 0xA4610000,
                            0x40620C04, 0xA8A10000, 0xB8A10000, 0xC3FFFFF8};

const uint32_t loadAddressOfWindow = 0x243F0002; // ldah $1,2($31)

struct Lie {
    const char *said; ///< by the report
    unsigned opcode;  ///< of the instruction that is falsified
    std::function<void(Retirement &)> tell;
};

const Lie lies[] = {
    {"pc: model", 0x08, [](Retirement &r) { r.pc += 4; }},
    {"the model's memory has", 0x10, [](Retirement &r) { r.instruction ^= 1 << 21; }},
    {"result: model", 0x29, [](Retirement &r) { r.value ^= 1; }},
    {"result: model", 0x2E, [](Retirement &r) { r.value = 0; }},
    {"result: model", 0x10, [](Retirement &r) { r.reg = 5; }},
    {"result: the model writes no", 0x2D, [](Retirement &r) { r.writes = true; }},
    {"access: model", 0x29, [](Retirement &r) { r.address += 8; }},
    {"access: model", 0x2D, [](Retirement &r) { r.store = false; }},
    {"access: the model touches no", 0x30, [](Retirement &r) { r.memory = true; }},
    {"store data", 0x2D, [](Retirement &r) { r.storeData ^= 1ull << 40; }},
};

/// The report, or nothing when lock-step agreed to the end. The falsified retirement is the first
/// instruction with that opcode from retirement `lieAt` on.
/// `dma`: DMA writes there before.
std::string run(const Machine &machine, const Lie *lie, uint32_t first = program[0],
                uint64_t dma = ~uint64_t{0}) {
    auto played = std::make_unique<Played>();
    Lockstep judge(machine, 1, "./mcpi run --seed 7");
    const uint64_t start = machine.base("ram", "pal");
    Segment code;
    code.address = start;
    code.bytes.resize(sizeof program);
    std::memcpy(code.bytes.data(), program, sizeof program);
    std::memcpy(code.bytes.data(), &first, sizeof first);
    judge.place(code);
    judge.start();
    judge.dmaWrites(dma);
    played->ram.put(start, code.bytes);
    played->cpu.reset(start);
    bool lied = false;
    try {
        for (uint64_t n = 0; n < 200; ++n) {
            const auto &e = played->cpu.step();
            Retirement r = {e.pc,     e.instruction, e.writes, e.reg,     e.value,
                            e.memory, e.store,       e.io,     e.address, e.storeData};
            if (lie && !lied && n >= lieAt && e.instruction >> 26 == lie->opcode) {
                lie->tell(r);
                lied = true;
            }
            judge.retired(1000 + n, r);
        }
    } catch (const Mismatch &report) {
        return report.what();
    }
    return "";
}

// lda $2,1($31); sll $2,62,$2; ldah $1,1($31); lda $1,200($1); hw_mtpr $1,exc_addr; hw_rei
const uint32_t enters[] = {0x205F0001, 0x4847D722, 0x243F0001, 0x20210200, 0x74210024, 0x7BFF8000};
const uint32_t returns = 0x7BFF8000, overflows = 0x40420C03, nothing = 0x47FF041F;

enum class After { trap, nothing, early };

/// The report on a program whose ADDQ/V overflows as a machine check comes: the arithmetic trap
/// comes behind the machine check's HW_REI, not at all, or before it.
std::string arithmetic(const Machine &machine, After after) {
    auto played = std::make_unique<Played>();
    Lockstep judge(machine, 1, "");
    const uint64_t start = machine.base("ram", "pal"), user = start + 0x200;
    Segment code;
    code.address = start;
    code.bytes.resize(0x208);
    std::memcpy(&code.bytes[0], enters, sizeof enters);
    std::memcpy(&code.bytes[0x20], &returns, 4);
    std::memcpy(&code.bytes[0x60], &nothing, 4);
    std::memcpy(&code.bytes[0x200], &overflows, 4);
    std::memcpy(&code.bytes[0x204], &nothing, 4);
    judge.place(code);
    judge.start();
    played->ram.put(start, code.bytes);
    alpha::Cpu &cpu = played->cpu;
    cpu.reset(start);
    auto retire = [&] {
        const auto &e = cpu.step();
        judge.retired(1, {e.pc, e.instruction, e.writes, e.reg, e.value, e.memory, e.store, e.io,
                          e.address, e.storeData});
    };
    try {
        while (cpu.programCounter() != (start + 0x60 + 1))
            retire();
        judge.trapped(1, alpha::vectorMachineCheck, user + 4);
        cpu.enter(alpha::vectorMachineCheck, user + 4);
        if (after == After::early)
            judge.trapped(1, alpha::vectorArithmetic, cpu.programCounter());
        retire();
        if (after == After::trap) {
            judge.trapped(1, alpha::vectorArithmetic, user + 4);
            cpu.enter(alpha::vectorArithmetic, user + 4);
        }
        retire();
    } catch (const Mismatch &report) {
        return report.what();
    }
    return "";
}

unsigned count(const std::string &text, const std::string &what) {
    unsigned n = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at)
        ++n;
    return n;
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2)
        return 2;
    const Machine machine(argv[1]);
    int failed = 0;
    auto expect = [&](bool good, const std::string &what, const std::string &report) {
        if (!good)
            std::printf("FAILED %s\n%s\n", what.c_str(), report.c_str());
        failed += !good;
    };
    expect(run(machine, nullptr).empty(), "the truth is believed", run(machine, nullptr));
    for (const auto &lie : lies) {
        const std::string report = run(machine, &lie), said = lie.said;
        expect(report.find(said) != std::string::npos, "says '" + said + "'", report);
        expect(count(report, "\n      10") == 20, "20 lines", report);
        expect(report.find("stl_c $5,0($1)") != std::string::npos, "disassembly", report);
        expect(report.find("$30 ") != std::string::npos, "registers", report);
        expect(report.find("again: ./mcpi run --seed 7\n") != std::string::npos, "again", report);
    }
    // In the LANCE window DMA may have taken the flag: there a failure is believed.
    const Lie failure = {"", 0x2E, [](Retirement &r) { r.value = 0; }};
    const std::string report = run(machine, &failure, loadAddressOfWindow);
    expect(report.empty(), "a lock lost to DMA is believed", report);
    // So are all bytes of a block that DMA has written, and no others.
    const Lie bytes = {"", 0x29, [](Retirement &r) { r.value ^= 1; }};
    for (uint64_t written : {0x3FFE0, 0x40010, 0x40020}) {
        const std::string said = run(machine, &bytes, program[0], written);
        const bool believed = said.find("result: model $3") == std::string::npos;
        expect(believed == (written == 0x40010), "a load of what DMA wrote is believed", said);
    }
    const auto says = [&](After after, const char *said) {
        const std::string told = arithmetic(machine, after);
        expect(*said ? told.find(said) != std::string::npos : told.empty(), "arithmetic", told);
    };
    says(After::trap, "");
    says(After::nothing, "an arithmetic trap was due, after a machine check");
    says(After::early, "the program's arithmetic trap, in PAL mode");
    std::printf("%zu lies, %d failed\n", std::size(lies), failed);
    return failed != 0;
}
