// SPDX-License-Identifier: BSD-2-Clause
// A LANCE behind an IOASIC as its driver sees it: registers, rings, frames. Function only: a frame
// is on the wire for its wire time, everything else takes no time (sources/lance.md 1 and 3.2).
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "models/alpha/cpu.h"

namespace mcpi
{

using Frame = std::vector<uint8_t>;

class LanceModel
{
      public:
	LanceModel(alpha::Ram &ram, std::function<void(Frame)> transmit)
	    : ram_(ram), transmit_(std::move(transmit))
	{
	}

	/// Dense offset in the IOASIC's slot; false: no such register.
	bool read(uint64_t offset, uint32_t &value);
	bool write(uint64_t offset, uint32_t value);
	bool interrupt() const
	{
		return (lineUp() ? 0x100u : 0u) & simr_;
	}
	/// A frame arrives, FCS included.
	void receive(const Frame &frame);
	/// The frame sent last has left.
	void sent()
	{
		raise(0x0200);
	}
	uint64_t badAccesses = 0; ///< what the driver should not have done

      private:
	bool lineUp() const
	{
		return (csr0_ & 0x0080) && (csr0_ & 0x0040);
	}
	uint16_t word(uint32_t address) const;
	void setWord(uint32_t address, uint16_t value);
	uint64_t byteAddress(uint32_t address) const;
	uint64_t base() const
	{
		return uint64_t{ dmaPointer_ >> 20 } << 17 | uint64_t{ dmaPointer_ & 31 } << 29;
	}
	void raise(uint16_t bits);
	void writeCsr0(uint16_t value);
	void initialise();
	void poll();

	alpha::Ram &ram_;
	std::function<void(Frame)> transmit_;
	uint32_t ssr_ = 0, simr_ = 0, dmaPointer_ = 0;
	uint16_t rap_ = 0, csr0_ = 4, csr1_ = 0, csr2_ = 0, csr3_ = 0;
	uint8_t station_[6] = {};
	uint32_t receiveRing_ = 0, transmitRing_ = 0;
	unsigned receiveEntries_ = 1, transmitEntries_ = 1, receiveAt_ = 0, transmitAt_ = 0;
};

} // namespace mcpi
