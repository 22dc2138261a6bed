// SPDX-License-Identifier: BSD-2-Clause
// pair MACHINE.json PAL IMAGE TICKS [--lose N] [--peer IMAGE] [--frames] [field=value]...: two
// machines of the instruction-set model, one instruction a tick, each with a functional LANCE, on
// one wire. Runs until both exit or TICKS have passed. --lose N loses every Nth frame; --peer is
// what the second runs; --frames prints a line for each: sender, bytes in hexadecimal. --watch N:PC
// counts how often node N executes the instruction there; --read N:ADDRESS tells its quadword there
// at the end.
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <queue>

#include "alpha/devices.h"
#include "base/bootparams.h"
#include "base/loader.h"
#include "lance.h"

using namespace mcpi;

namespace
{

constexpr uint64_t physical = (uint64_t{ 1 } << 34) - 1;

class Station : public alpha::Devices
{
      public:
	Station(const Machine &machine, uint64_t node, alpha::Ram &ram,
		std::function<void(Frame)> transmit)
	    : Devices(machine, node, stdout), lance(ram, std::move(transmit)),
	      slot_(machine.base("io", "ioasic") + 0x10000000),
	      bit_(uint64_t{ 1 } << machine.interruptBit("turbochannel"))
	{
	}

	bool read(uint64_t physical, unsigned bytes, uint64_t &value) override
	{
		uint32_t longword = 0;
		if (bytes == 4 && physical >= slot_ &&
		    lance.read((physical - slot_) / 2, longword)) {
			value = longword;
			return true;
		}
		return Devices::read(physical, bytes, value);
	}
	bool write(uint64_t physical, unsigned bytes, uint64_t value) override
	{
		if (bytes == 4 && physical >= slot_ &&
		    lance.write((physical - slot_) / 2, static_cast<uint32_t>(value)))
			return true;
		return Devices::write(physical, bytes, value);
	}
	uint64_t interrupts() override
	{
		return Devices::interrupts() | (lance.interrupt() ? bit_ : 0);
	}

	Lance lance;

      private:
	uint64_t slot_, bit_;
};

struct Node {
	Node(const Machine &machine, uint64_t number, std::function<void(Frame)> transmit)
	    : ram(machine.parameter("memory.size")), station(machine, number, ram, transmit),
	      cpu(ram, station)
	{
		station.follow(ticks);
	}
	void tick()
	{
		++ticks;
		station.advance();
		if (station.exited || cpu.halted)
			return;
		if (cpu.waitMask && (station.interrupts() & cpu.waitMask))
			cpu.waitMask = 0;
		if (cpu.waitMask)
			return;
		if (cpu.interruptDue())
			cpu.enter(alpha::vectorInterrupt, cpu.programCounter());
		if (const auto seen = watched.find(cpu.programCounter() & physical);
		    seen != watched.end())
			++seen->second;
		cpu.step();
		++instructions;
	}
	bool idle()
	{
		return station.exited || (cpu.waitMask && !(station.interrupts() & cpu.waitMask));
	}
	alpha::Ram ram;
	Station station;
	alpha::Cpu cpu;
	uint64_t instructions = 0, ticks = 0;
	std::map<uint64_t, uint64_t> watched;
};

struct OnTheWire {
	uint64_t due;
	unsigned from;
	bool lost;
	Frame frame;
	bool operator<(const OnTheWire &other) const
	{
		return due > other.due;
	}
};

} // namespace

int main(int argc, char **argv)
{
	if (argc < 5)
		return 2;
	const Machine machine(argv[1]);
	const uint64_t limit = std::strtoull(argv[4], nullptr, 0);
	uint64_t now = 0, frames = 0, lose = 0, free = 0;
	const char *peer = argv[3];
	bool show = false;
	std::map<uint64_t, uint64_t> watched[2];
	std::vector<uint64_t> read[2];
	std::vector<std::string> fields;
	for (int i = 5; i < argc; ++i) {
		if (!std::strcmp(argv[i], "--lose") && i + 1 < argc)
			lose = std::strtoull(argv[++i], nullptr, 0);
		else if (!std::strcmp(argv[i], "--peer") && i + 1 < argc)
			peer = argv[++i];
		else if (!std::strcmp(argv[i], "--frames"))
			show = true;
		else if (!std::strcmp(argv[i], "--watch") && i + 1 < argc) {
			char *pc = nullptr;
			const auto node = std::strtoull(argv[++i], &pc, 0);
			watched[node & 1][std::strtoull(pc + 1, nullptr, 0) & physical] = 0;
		} else if (!std::strcmp(argv[i], "--read") && i + 1 < argc) {
			char *address = nullptr;
			const auto node = std::strtoull(argv[++i], &address, 0);
			read[node & 1].push_back(std::strtoull(address + 1, nullptr, 0) & physical);
		} else
			fields.push_back(argv[i]);
	}
	std::priority_queue<OnTheWire> wire;
	std::unique_ptr<Node> nodes[2];
	const uint64_t nibble = machine.parameter("clock.ticks_per_us") * 4 / 10;
	for (unsigned n = 0; n < 2; ++n) {
		nodes[n] = std::make_unique<Node>(machine, n, [&, n](Frame frame) {
			if (show) {
				std::printf("frame %u ", n);
				for (std::size_t i = 0; i + 4 < frame.size(); ++i) // no FCS
					std::printf("%02x", static_cast<unsigned>(frame[i]));
				std::printf("\n");
			}
			const uint64_t begin = std::max(now, free);
			free = begin + (8 + frame.size() + 12) * 2 * nibble;
			++frames;
			wire.push({ free, n, lose != 0 && frames % lose == 0, frame });
		});
		for (const char *path : { static_cast<const char *>(argv[2]), n ? peer : argv[3] })
			for (const auto &s : readElf(path).segments)
				nodes[n]->ram.put(s.address, s.bytes);
		const auto block = bootBlock(machine, bootFields(machine, n, fields));
		nodes[n]->ram.put(block.address, block.bytes);
		nodes[n]->watched = watched[n];
		nodes[n]->cpu.reset(machine.base("ram", "pal"));
	}
	for (; now < limit && !(nodes[0]->station.exited && nodes[1]->station.exited); ++now) {
		// Nothing on the wire and both asleep: on to the timer, which is in step on both.
		if (wire.empty() && nodes[0]->idle() && nodes[1]->idle())
			for (auto &node : nodes) {
				if (!node->station.skip())
					return 1;
				now = node->station.now();
			}
		for (auto &node : nodes)
			node->tick();
		while (!wire.empty() && wire.top().due <= now) {
			const OnTheWire one = wire.top();
			wire.pop();
			nodes[one.from]->station.lance.sent();
			if (!one.lost)
				nodes[1 - one.from]->station.lance.receive(one.frame);
		}
	}
	std::fflush(stdout);
	bool good = true;
	for (unsigned n = 0; n < 2; ++n) {
		const auto &node = *nodes[n];
		std::printf("node %u: exited %d code %u instructions %llu misuse %llu\n", n,
			    node.station.exited, node.station.exitCode,
			    static_cast<unsigned long long>(node.instructions),
			    static_cast<unsigned long long>(node.station.lance.badAccesses));
		for (const auto &[pc, times] : node.watched)
			std::printf("watched %u %#llx %llu\n", n,
				    static_cast<unsigned long long>(pc),
				    static_cast<unsigned long long>(times));
		for (const uint64_t address : read[n])
			std::printf("read %u %#llx %llu\n", n,
				    static_cast<unsigned long long>(address),
				    static_cast<unsigned long long>(node.ram.get(address, 8)));
		good = good && node.station.exited && node.station.exitCode == 0 &&
		       node.station.lance.badAccesses == 0;
	}
	std::printf("ticks %llu frames %llu\n", static_cast<unsigned long long>(now),
		    static_cast<unsigned long long>(frames));
	return good ? 0 : 1;
}
