// SPDX-License-Identifier: BSD-2-Clause
#include "lance_model.h"

#include <algorithm>

namespace mcpi
{
namespace
{

enum : uint16_t {
	init = 1,
	start = 2,
	stop = 4,
	demand = 8,
	txon = 0x10,
	rxon = 0x20,
	enable = 0x40,
	intr = 0x80,
	idon = 0x100,
	rint = 0x400,
	miss = 0x1000,
	clearable = 0x7F00,
	interrupting = 0x5F00
};
enum : uint64_t {
	pointerAt = 0x40020,
	ssrAt = 0x40100,
	sirAt = 0x40110,
	simrAt = 0x40120,
	rdpAt = 0xC0000,
	rapAt = 0xC0004
};
constexpr uint32_t dmaEnabled = 0x10000, outOfReset = 0x100;
constexpr uint32_t junk = 0xDEAD0000; // upper halves are unpredictable

} // namespace

bool LanceModel::read(uint64_t offset, uint32_t &value)
{
	const uint16_t csr[] = { csr0_, csr1_, csr2_, csr3_ };
	switch (offset) {
	case pointerAt:
		value = dmaPointer_;
		return true;
	case ssrAt:
		value = ssr_;
		return true;
	case sirAt:
		value = lineUp() ? 0x100 : 0;
		return true;
	case simrAt:
		value = simr_;
		return true;
	case rapAt:
		value = junk | rap_;
		return true;
	case rdpAt:
		value = junk | csr[rap_];
		return true;
	default:
		return false;
	}
}

bool LanceModel::write(uint64_t offset, uint32_t value)
{
	switch (offset) {
	case pointerAt:
		dmaPointer_ = value;
		return true;
	case ssrAt:
		ssr_ = value;
		return true;
	case simrAt:
		simr_ = value;
		return true;
	case rapAt:
		rap_ = value & 3;
		return true;
	case rdpAt:
		break;
	default:
		return false;
	}
	if (!(ssr_ & outOfReset))
		++badAccesses;
	if (rap_ == 0) {
		writeCsr0(static_cast<uint16_t>(value));
	} else if (csr0_ & stop) {
		(rap_ == 1 ? csr1_ : rap_ == 2 ? csr2_ : csr3_) = static_cast<uint16_t>(value);
	} else {
		++badAccesses;
	}
	return true;
}

void LanceModel::raise(uint16_t bits)
{
	csr0_ |= bits;
	if (csr0_ & interrupting)
		csr0_ |= intr;
}

void LanceModel::writeCsr0(uint16_t value)
{
	if (value & stop) {
		csr0_ = stop;
		csr3_ = 0;
		return;
	}
	csr0_ &= static_cast<uint16_t>(~(value & clearable));
	csr0_ = static_cast<uint16_t>((csr0_ & ~enable) | (value & enable));
	if (!(csr0_ & interrupting))
		csr0_ &= static_cast<uint16_t>(~intr);
	if (value & init)
		initialise();
	if (value & start)
		csr0_ = static_cast<uint16_t>((csr0_ & ~stop) | start | rxon | txon);
	if ((csr0_ & txon) && (value & (demand | start)))
		poll();
}

void LanceModel::initialise()
{
	if (!(ssr_ & dmaEnabled))
		++badAccesses;
	const uint32_t block = csr1_ | (csr2_ & 0xFFu) << 16;
	for (unsigned i = 0; i < 3; ++i) {
		station_[2 * i] = static_cast<uint8_t>(word(block + 2 + 2 * i));
		station_[2 * i + 1] = static_cast<uint8_t>(word(block + 2 + 2 * i) >> 8);
	}
	receiveRing_ = word(block + 16);
	receiveEntries_ = 1u << (word(block + 18) >> 13);
	transmitRing_ = word(block + 20);
	transmitEntries_ = 1u << (word(block + 22) >> 13);
	receiveAt_ = transmitAt_ = 0;
	csr0_ = static_cast<uint16_t>((csr0_ & ~stop) | init);
	raise(idon);
}

uint16_t LanceModel::word(uint32_t address) const
{
	return static_cast<uint16_t>(ram_.get(base() + 2 * (address & 0xFFFE), 4));
}

void LanceModel::setWord(uint32_t address, uint16_t value)
{
	ram_.put(base() + 2 * (address & 0xFFFE), 4, junk | value);
}

uint64_t LanceModel::byteAddress(uint32_t address) const
{
	return base() + ((2 * (address & 0xFFFF)) & ~31u) + (address & 15);
}

void LanceModel::poll()
{
	for (;;) {
		const uint32_t descriptor = transmitRing_ + 8 * transmitAt_;
		const uint16_t flags = word(descriptor + 2);
		if (!(flags & 0x8000))
			return;
		const unsigned bytes = 0x1000 - (word(descriptor + 4) & 0xFFF);
		const uint32_t buffer = word(descriptor);
		// Our driver never chains, and pads: anything else is its mistake.
		if ((flags & 0x0300) != 0x0300 || bytes < 60 || bytes > 1514 || (buffer & 15))
			++badAccesses;
		if ((word(descriptor + 4) & 0xF000) != 0xF000)
			++badAccesses;
		Frame frame(bytes);
		for (unsigned i = 0; i < bytes; ++i)
			frame[i] = ram_.data()[byteAddress(buffer + i)];
		setWord(descriptor + 2, flags & 0x7FFF);
		transmitAt_ = (transmitAt_ + 1) % transmitEntries_;
		transmit_(frame);
	}
}

void LanceModel::receive(const Frame &frame)
{
	const bool ours = std::equal(station_, station_ + 6, frame.begin());
	const bool broadcast =
	    std::all_of(frame.begin(), frame.begin() + 6, [](uint8_t b) { return b == 0xFF; });
	if (!(csr0_ & rxon) || (!ours && !broadcast))
		return;
	const uint32_t descriptor = receiveRing_ + 8 * receiveAt_;
	const uint16_t flags = word(descriptor + 2);
	if (!(flags & 0x8000)) {
		raise(miss | 0x8000);
		return;
	}
	const uint32_t buffer = word(descriptor);
	for (unsigned i = 0; i < frame.size(); ++i)
		ram_.data()[byteAddress(buffer + i)] = frame[i];
	setWord(descriptor + 6, static_cast<uint16_t>(frame.size()));
	setWord(descriptor + 2, static_cast<uint16_t>(0x0300 | (flags & 0xFF)));
	receiveAt_ = (receiveAt_ + 1) % receiveEntries_;
	raise(rint);
}

} // namespace mcpi
