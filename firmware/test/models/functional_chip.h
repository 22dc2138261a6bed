// SPDX-License-Identifier: BSD-2-Clause
// A LANCE as far as our driver uses it (docs/sources/lance.md): MODE is 0, a frame is in one
// buffer. Everything happens at once when it is asked for.
#pragma once
#include <algorithm>
#include <vector>

#include "alpha/cpu.h"
#include "lance/registers.h"
#include "link/frame.h"

namespace mcpi
{

using Frame = std::vector<uint8_t>; // FCS included

class FunctionalChip
{
      public:
	explicit FunctionalChip(alpha::Ram &ram) : ram_(ram)
	{
	}

	unsigned csr0() const
	{
		using namespace am7990;
		const unsigned value = csr[0];
		return value | (value & (MISS | RINT | TINT | IDON) ? +INTR : 0) |
		       (value & MISS ? +ERR : 0);
	}
	bool line() const
	{
		return (csr0() & am7990::INTR) && (csr[0] & am7990::INEA);
	}
	unsigned read() const
	{
		return rap == 0 ? csr0() : csr[0] & am7990::STOP ? csr[rap] : 0;
	}
	void write(unsigned value)
	{
		using namespace am7990;
		if (rap != 0) {
			if (csr[0] & STOP)
				csr[rap] = value;
		} else if (value & STOP) {
			csr[0] = STOP;
			csr[3] = 0;
			held_ = false;
		} else {
			csr[0] &= ~(value & (MISS | RINT | TINT | IDON));
			csr[0] &= ~(value & (INIT | STRT) ? +STOP : 0);
			csr[0] = (csr[0] & ~INEA) | (value & (INEA | INIT | STRT));
			if (value & INIT && !held_)
				initialize();
			if (csr[0] & STRT && held_)
				csr[0] |= RXON | TXON;
		}
	}
	/// The frames that the transmit ring holds, in its order.
	std::vector<Frame> transmit()
	{
		using namespace am7990;
		std::vector<Frame> sent;
		for (; csr[0] & TXON && word(tx.descriptor() + 2) & OWN; tx.advance()) {
			const uint32_t at = tx.descriptor(), buffer = address(at);
			Frame frame(0x1000 - (word(at + 4) & 0xFFF));
			for (unsigned i = 0; i < frame.size(); ++i)
				frame[i] = ram_.data()[place(buffer + i)];
			sent.push_back(withFcs(frame));
			giveBack(at, STP | ENP);
			csr[0] |= TINT;
		}
		return sent;
	}
	void receive(const Frame &frame)
	{
		using namespace am7990;
		if (!(csr[0] & RXON) || !accepts(frame))
			return;
		const uint32_t at = rx.descriptor(), buffer = address(at);
		if (!(word(at + 2) & OWN)) {
			csr[0] |= MISS;
			return;
		}
		const unsigned room = 0x1000 - (word(at + 4) & 0xFFF), all = frame.size();
		const unsigned bytes = std::min(room, all);
		for (unsigned i = 0; i < bytes; ++i)
			ram_.put(place(buffer + i), 1, frame[i]);
		for (unsigned i = bytes; (buffer + i) % 4; ++i) // the rest of a longword
			ram_.put(place(buffer + i), 1, rubbish);
		for (unsigned i = 1; i <= buffer % 4; ++i)
			ram_.put(place(buffer - i), 1, rubbish);
		if (bytes == all)
			setWord(at + 6, all);
		giveBack(at, STP | (bytes == all ? +ENP : FAILED | RBUFF));
		csr[0] |= RINT;
		rx.advance();
	}
	/// A word of the chip's 64 KB, which lie in 128 KB of memory.
	unsigned word(uint32_t at) const
	{
		const uint64_t from = base + 2 * (at & 0xFFFE);
		return ram_.data()[from] | ram_.data()[from + 1] << 8;
	}

	uint64_t base = 0; ///< of the 128 KB
	unsigned rap = 0, csr[4] = { am7990::STOP, 0, 0, 0 };
	am7990::Ring rx, tx;

      private:
	static constexpr uint8_t rubbish = 0xDE; // where nobody specifies what the chip leaves

	void initialize()
	{
		const uint32_t at = (csr[1] | csr[2] << 16) & 0xFFFFFE;
		for (unsigned i = 0; i < 6; ++i)
			station_[i] = word(at + 2 + i / 2 * 2) >> i % 2 * 8 & 0xFF;
		groups_ = 0;
		for (unsigned i = 0; i < 4; ++i)
			groups_ |= uint64_t{ word(at + 8 + 2 * i) } << 16 * i;
		const auto ring = [&](uint32_t from) {
			return am7990::Ring{ word(from) & 0xFFF8, 1u << (word(from + 2) >> 13), 0 };
		};
		rx = ring(at + 16);
		tx = ring(at + 20);
		held_ = true;
		csr[0] |= am7990::IDON;
	}
	bool accepts(const Frame &frame) const
	{
		if (std::all_of(&frame[0], &frame[6], [](uint8_t b) { return b == 0xFF; }))
			return true;
		if (frame[0] & 1)
			return groups_ >> (~crc32(frame.data(), 6) >> 26) & 1;
		return std::equal(&frame[0], &frame[6], station_);
	}
	uint32_t address(uint32_t descriptor) const
	{
		return word(descriptor);
	}
	uint64_t place(uint32_t at) const
	{
		at &= 0xFFFF;
		return base + at / 16 * 32 + at % 16;
	}
	void setWord(uint32_t at, unsigned value)
	{
		const uint64_t from = base + 2 * (at & 0xFFFE);
		ram_.put(from, 4, value | rubbish << 16 | uint32_t{ rubbish } << 24);
	}
	void giveBack(uint32_t descriptor, unsigned status)
	{
		setWord(descriptor + 2, status | (word(descriptor + 2) & 0xFF));
	}

	alpha::Ram &ram_;
	uint8_t station_[6] = {};
	uint64_t groups_ = 0;
	bool held_ = false; ///< an initialization block
};

} // namespace mcpi
