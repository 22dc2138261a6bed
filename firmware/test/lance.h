// SPDX-License-Identifier: BSD-2-Clause
// The model of the LANCE (lance/model/chip.h) behind an IOASIC, as its driver sees both, and what
// the driver must not do. A frame is on the wire for its wire time, everything else takes no time.
#pragma once
#include <functional>

#include "alpha/cpu.h"
#include "lance/model/chip.h"

namespace mcpi
{

using Frame = lance_model::Bytes; // FCS included

class Lance
{
      public:
	Lance(alpha::Ram &ram, std::function<void(Frame)> transmit)
	    : ram_(ram), window_(ram.shared(), 0), chip_(window_, outside_, false),
	      transmit_(std::move(transmit))
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
			value = junk | chip_.readRdp();
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
			window_.base = value >> 20 << 17;
			badAccesses += (value & 31) != 0; // beyond 4 GB
			return true;
		case ssrAt:
			ssr_ = value;
			return true;
		case simrAt:
			simr_ = value;
			return true;
		case rapAt:
			chip_.writeRap(value);
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
		spoil();
	}
	/// The frame sent last has left.
	void sent()
	{
		chip_.csr[0] |= lance_model::TINT;
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
		using namespace lance_model;
		const bool control = chip_.rap == 0 && !(value & STOP);
		badAccesses += !(ssr_ & outOfReset);
		badAccesses += chip_.rap != 0 && !(chip_.csr[0] & STOP);
		badAccesses += control && value & INIT && !(ssr_ & dmaEnabled);
		chip_.writeRdp(value);
		chip_.initialize();
		if (!control || !(value & (TDMD | STRT)))
			return;
		const unsigned before = chip_.csr[0] & TINT;
		for (Ring at = chip_.tx; window_.word(at.descriptor() + 2) & OWN; at.advance()) {
			check(at.descriptor());
			if (at.following() == chip_.tx.descriptor())
				break;
		}
		chip_.transmit();
		chip_.csr[0] &= ~TINT | before; // the frames are still on the wire
		spoil();
		for (const Bytes &nibbles : chip_.sent) {
			Frame frame;
			for (auto i = preambleNibbles; i < nibbles.size(); i += 2)
				frame.push_back(nibbles[i] | nibbles[i + 1] << 4);
			transmit_(frame);
		}
		chip_.sent.clear();
	}
	/// Our driver never chains, and pads: anything else is its mistake.
	void check(uint32_t descriptor)
	{
		using namespace lance_model;
		const unsigned bytes = 0x1000 - (window_.word(descriptor + 4) & 0xFFF);
		badAccesses += (window_.word(descriptor + 2) & (STP | ENP)) != (STP | ENP) ||
			       bytes < 60 || bytes > 1514 || window_.word(descriptor) & 15;
		badAccesses += window_.word(descriptor + 4) >> 12 != 15;
	}
	/// What nobody specifies is not what it was.
	void spoil()
	{
		for (const auto at : window_.unspecified)
			ram_.put(at, 1, 0xDE);
		window_.unspecified.clear();
		window_.written.clear();
	}

	alpha::Ram &ram_;
	lance_model::Window window_;
	lance_model::Outside outside_;
	lance_model::Chip chip_;
	std::function<void(Frame)> transmit_;
	uint32_t ssr_ = 0, simr_ = 0, pointer_ = 0;
};

} // namespace mcpi
