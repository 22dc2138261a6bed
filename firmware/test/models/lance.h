// SPDX-License-Identifier: BSD-2-Clause
// A functional LANCE behind an IOASIC, as its driver sees both, and what the driver must not do. A
// frame is on the wire for its wire time, everything else takes no time.
#pragma once
#include <functional>

#include "functional_chip.h"

namespace mcpi
{

class Lance
{
      public:
	Lance(alpha::Ram &ram, std::function<void(Frame)> transmit)
	    : chip_(ram), transmit_(std::move(transmit))
	{
	}

	/// Dense offset in the IOASIC's slot; false: no such register.
	bool read(uint64_t offset, uint32_t &value)
	{
		switch (offset) {
		case pointerAt:
			value = pointer_;
			return true;
		case ssrAt:
			value = ssr_;
			return true;
		case sirAt:
			value = chip_.line() ? line : 0;
			return true;
		case simrAt:
			value = simr_;
			return true;
		case rapAt:
			value = junk | chip_.rap;
			return true;
		case rdpAt:
			value = junk | chip_.read();
			return true;
		default:
			return false;
		}
	}
	bool write(uint64_t offset, uint32_t value)
	{
		switch (offset) {
		case pointerAt:
			pointer_ = value;
			chip_.base = value >> 20 << 17;
			badAccesses += (value & 31) != 0; // beyond 4 GB
			return true;
		case ssrAt:
			ssr_ = value;
			return true;
		case simrAt:
			simr_ = value;
			return true;
		case rapAt:
			chip_.rap = value & 3;
			return true;
		case rdpAt:
			writeRdp(value & 0xFFFF);
			return true;
		default:
			return false;
		}
	}
	bool interrupt() const
	{
		return chip_.line() && simr_ & line;
	}
	void receive(const Frame &frame)
	{
		chip_.receive(frame);
	}
	/// The frame sent last has left.
	void sent()
	{
		chip_.csr[0] |= am7990::TINT;
	}
	uint64_t badAccesses = 0; ///< what the driver should not have done

      private:
	enum : uint64_t {
		pointerAt = 0x40020,
		ssrAt = 0x40100,
		sirAt = 0x40110,
		simrAt = 0x40120,
		rdpAt = 0xC0000,
		rapAt = 0xC0004
	};
	static constexpr uint32_t line = 0x100, dmaEnabled = 0x10000, outOfReset = 0x100;
	static constexpr uint32_t junk = 0xDEAD0000; // upper halves are unpredictable

	void writeRdp(unsigned value)
	{
		using namespace am7990;
		const bool control = chip_.rap == 0 && !(value & STOP);
		badAccesses += !(ssr_ & outOfReset);
		badAccesses += chip_.rap != 0 && !(chip_.csr[0] & STOP);
		badAccesses += control && value & INIT && !(ssr_ & dmaEnabled);
		chip_.write(value);
		if (!control || !(value & (TDMD | STRT)))
			return;
		const unsigned before = chip_.csr[0] & TINT;
		for (Ring at = chip_.tx; chip_.word(at.descriptor() + 2) & OWN; at.advance()) {
			check(at.descriptor());
			if (at.following() == chip_.tx.descriptor())
				break;
		}
		const std::vector<Frame> frames = chip_.transmit();
		chip_.csr[0] &= ~TINT | before; // the frames are still on the wire
		for (const Frame &frame : frames)
			transmit_(frame);
	}
	/// Our driver never chains, and pads: anything else is its mistake.
	void check(uint32_t descriptor)
	{
		using namespace am7990;
		const unsigned bytes = 0x1000 - (chip_.word(descriptor + 4) & 0xFFF);
		badAccesses += (chip_.word(descriptor + 2) & (STP | ENP)) != (STP | ENP) ||
			       bytes < 60 || bytes > 1514 || chip_.word(descriptor) & 15;
		badAccesses += chip_.word(descriptor + 4) >> 12 != 15;
	}
	FunctionalChip chip_;
	std::function<void(Frame)> transmit_;
	uint32_t ssr_ = 0, simr_ = 0, pointer_ = 0;
};

} // namespace mcpi
