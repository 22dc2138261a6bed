// SPDX-License-Identifier: BSD-2-Clause
#include "node_init.h"

#include "base/bootparams.h"
#include "base/error.h"
#include "base/text.h"

namespace mcpi {
namespace {

/// Run-time parameters are registers named as in machines/parameters.toml; times in ns become
/// ticks, rounded to nearest, as in tools/mcpi/machine/profile.py.
uint64_t registerValue(const Machine &machine, const std::string &key) {
    const uint64_t value = machine.parameter(key);
    const bool nanoseconds = key.size() > 3 && key.compare(key.size() - 3, 3, "_ns") == 0;
    if (!nanoseconds)
        return value;
    return (value * machine.parameter("clock.ticks_per_us") * 2 + 1000) / 2000;
}

/// RAM is zero where nothing was written: what ends in zeros needs no bytes for them, but for whole
/// quadwords.
std::vector<uint8_t> withoutZeros(std::vector<uint8_t> bytes) {
    while (!bytes.empty() && !bytes.back())
        bytes.pop_back();
    bytes.resize((bytes.size() + 7) & ~std::size_t{7});
    return bytes;
}

} // namespace

void loadProgram(const Program &program, SdramModel &ram, HostLink &link, bool byLink) {
    if (byLink) {
        for (const auto &s : program.segments)
            link.writeRam(s.address, withoutZeros(s.bytes));
        for (const auto &s : program.segments) {
            const auto bytes = withoutZeros(s.bytes);
            if (link.readRam(s.address, bytes.size()) != bytes)
                throw RunError("loader: RAM from " + hex(s.address) + " on is not what was sent.");
        }
        return;
    }
    for (const auto &s : program.segments)
        for (std::size_t i = 0; i < s.bytes.size(); ++i)
            ram.at(s.address + i) = s.bytes[i];
    for (const auto &s : program.segments)
        for (std::size_t i = 0; i < s.bytes.size(); ++i)
            if (ram.at(s.address + i) != s.bytes[i])
                throw RunError("loader: byte " + hex(s.address + i) + " of RAM is " +
                               hex(ram.at(s.address + i)) + " instead of " + hex(s.bytes[i]) + ".");
}

void writeRegisters(const Machine &machine, const NodeInfo &info, const NodeOptions &given,
                    uint64_t seed, unsigned number, const Program &program, HostLink &link) {
    for (const auto &[name, at] : info.registers)
        if (machine.has(name)) {
            const uint64_t value = registerValue(machine, name);
            machine.checkRegister(name, value);
            link.writeRegister(at, value);
        }
    auto write = [&](const std::string &name, uint64_t value) {
        link.writeRegister(info.number(name), value);
    };
    const uint64_t period = machine.timerPeriod();
    const uint64_t poll = registerValue(machine, "lance.poll_ns");
    write("timer_phase",
          given.phase ? given.phase : 1 + phaseFromSeed(seed, phaseTimer + number, period));
    write("lance_poll_phase", phaseFromSeed(seed, phasePoll + number, poll));
    write("node_number", number);
    write("code_window", machine.base("ram", "image"));
    write("station_address", bootFields(machine, number, given.boot).at("mac"));

    unsigned n = 0;
    for (const auto &m : comparators(program, info, number)) {
        const std::string comparator = "comparator." + std::to_string(n++);
        write(comparator + ".address", m.address);
        write(comparator + ".action", m.window << 8 | m.action);
    }
    for (const auto &[name, value] : given.registers) {
        if (machine.has(name))
            machine.checkRegister(name, value);
        write(name, value);
    }
}

} // namespace mcpi
