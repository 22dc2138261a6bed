// SPDX-License-Identifier: BSD-2-Clause
// Boots an image on the instruction-set model up to an address, and calls functions of it.
//
//     clone_model machine.json pal.elf image.elf STOP DUMP FIRST LAST
//
// writes physical RAM from FIRST to LAST (hex) into the file DUMP when the program counter is STOP.
// Then each line `ENTRY SEED A0 A1 A2 A3` (hex) on standard input is a call with those arguments in
// the RAM as it was then, with SEED's random bytes in the scratch RAM. Printed are the result and
// the registers that a call must keep, and a hash of scratch RAM and of FIRST to LAST.
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "alpha/devices.h"
#include "base/bootparams.h"
#include "base/loader.h"

using namespace mcpi;

namespace
{

constexpr uint64_t kseg = 0xfffffc0000000000, sentinel = 0x3000000;
constexpr uint64_t scratch = 0x2000000, scratchEnd = 0x2010000, stackTop = 0x2100000;
constexpr uint64_t limit = 20000000;

void run(alpha::Cpu &cpu, alpha::Devices &devices, uint64_t stop)
{
	for (uint64_t n = 0; n < limit && !devices.exited && !cpu.halted; ++n) {
		if (!cpu.palMode && (cpu.pc & physicalMask) == (stop & physicalMask))
			return;
		cpu.step();
		devices.advance();
	}
	std::fflush(stdout);
	throw std::runtime_error(devices.exited ? "exit " + std::to_string(devices.exitCode)
						: "it did not get there");
}

uint64_t hash(const alpha::Ram &ram, uint64_t first, uint64_t last, uint64_t h)
{
	for (uint64_t at = first; at < last; at += 8)
		h = (h ^ ram.get(at, 8)) * 0x100000001b3;
	return h;
}

} // namespace

int main(int argc, char **argv)
try {
	if (argc != 8)
		throw std::runtime_error("machine pal image STOP DUMP FIRST LAST");
	const Machine machine(argv[1]);
	alpha::Ram ram(machine.parameter("memory.size"));
	for (const char *path : { argv[2], argv[3] })
		for (const auto &s : readElf(path).segments)
			ram.put(s.address, s.bytes);
	const Segment boot = bootBlock(machine, bootFields(machine, 0, {}));
	ram.put(boot.address, boot.bytes);
	alpha::Devices devices(machine, 0, stdout);
	alpha::Cpu cpu(ram, devices);
	cpu.reset(machine.base("ram", "pal"));
	devices.follow(cpu.executed);
	const uint64_t first = std::stoull(argv[6], nullptr, 16),
		       last = std::stoull(argv[7], nullptr, 16);
	run(cpu, devices, std::stoull(argv[4], nullptr, 16));
	std::ofstream(argv[5], std::ios::binary)
	    .write(reinterpret_cast<const char *>(ram.data() + first),
		   static_cast<long>(last - first));
	const std::vector<uint8_t> kept(ram.data(), ram.data() + ram.size());
	const alpha::Cpu then = cpu;
	for (std::string line; std::getline(std::cin, line);) {
		std::istringstream words(line);
		uint64_t entry = 0, seed = 0, at = scratch;
		words >> std::hex >> entry >> seed;
		ram.put(0, kept);
		for (int i = 16; i < 20; ++i)
			words >> cpu.r[static_cast<std::size_t>(i)];
		for (uint64_t x = seed; at < scratchEnd; at += 8)
			ram.put(at, 8, x = x * 6364136223846793005 + 1442695040888963407);
		for (std::size_t i = 9; i < 16; ++i)
			cpu.r[i] = seed * i;
		cpu.r[29] = then.r[29];
		cpu.r[30] = kseg | stackTop;
		cpu.r[26] = kseg | sentinel;
		cpu.r[27] = entry;
		cpu.pc = alpha::place(entry);
		run(cpu, devices, sentinel);
		std::printf("%" PRIx64, cpu.r[0]);
		for (std::size_t i = 9; i < 16; ++i)
			std::printf(" %" PRIx64, cpu.r[i]);
		std::printf(" %" PRIx64 " %" PRIx64 " %" PRIx64 "\n", cpu.r[29], cpu.r[30],
			    hash(ram, scratch, scratchEnd, hash(ram, first, last, 1)));
	}
} catch (const std::exception &error) {
	std::fprintf(stderr, "%s\n", error.what());
	return 1;
}
