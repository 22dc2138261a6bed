// SPDX-License-Identifier: BSD-2-Clause
#include "station.h"

#include <cstdio>

#include "base/error.h"

namespace mcpi::saturate {
namespace {

enum : uint32_t { RDP = 0xC0000, RAP = 0xC0004, POINTER = 0x40020, SSR = 0x40100, SIMR = 0x40120 };
enum : unsigned { OWN = 0x8000, ERR = 0x4000, STP = 0x0200, ENP = 0x0100 };
constexpr uint32_t rxRing = 0x100, txRing = 0x200, rxBuffers = 0x1000, txBuffers = 0x8000;
constexpr uint32_t room = 1536;

} // namespace

std::array<uint8_t, 6> Station::address(unsigned number) {
    return {0x08, 0x00, 0x2B, 0x00, 0x00, static_cast<uint8_t>(number + 1)};
}

Station::Station(lance_config config, unsigned number) : number_(number), memory_(0x40000) {
    const auto mine = address(number);
    for (unsigned i = 0; i < 6; ++i)
        config.station |= uint64_t{mine[i]} << 8 * i;
    config.poll_phase = 1000 + 777 * number;
    chip = lance_new(&config, memory_.data(), memory_.size());
    if (!chip)
        throw UserError(lance_refusal());
}

Station::~Station() {
    lance_free(chip);
}

void Station::write(uint32_t offset, unsigned value) {
    int error = 0;
    lance_access(chip, 0x1F0000000 + 2 * uint64_t{offset}, 1, value, 0, &error);
    if (error)
        throw RunError("station " + std::to_string(number_) + ": a write timed out.");
}

unsigned Station::readCsr0() {
    int error = 0;
    const uint64_t csr0 = lance_access(chip, 0x1F0000000 + 2 * uint64_t{RDP}, 0, 0, 0, &error);
    if (error)
        throw RunError("station " + std::to_string(number_) + ": a read timed out.");
    return csr0 & 0xFFFF;
}

void Station::setWord(uint32_t a, unsigned value) {
    memory_[at(a)] = value & 0xFF;
    memory_[at(a) + 1] = value >> 8 & 0xFF;
}

void Station::start() {
    write(POINTER, window << 3);
    write(SSR, 1 << 16 | 1 << 8);
    write(SIMR, 1 << 8);
    const auto mine = address(number_);
    for (unsigned i = 0; i < 3; ++i)
        setWord(2 + 2 * i, mine[2 * i] | mine[2 * i + 1] << 8);
    setWord(16, rxRing);
    setWord(18, 4 << 13);
    setWord(20, txRing);
    setWord(22, 4 << 13);
    for (unsigned i = 0; i < entries; ++i) {
        setWord(rxRing + 8 * i, rxBuffers + room * i);
        setWord(rxRing + 8 * i + 4, 0x10000 - room);
        setWord(rxRing + 8 * i + 2, OWN);
        setWord(txRing + 8 * i + 2, 0);
    }
    for (unsigned csr = 1; csr < 4; ++csr) {
        write(RAP, csr);
        write(RDP, 0);
    }
    write(RAP, 0);
    write(RDP, 0x0001);
    while (!(readCsr0() & 0x0100))
        ;
    write(RDP, 0x0142);
}

void Station::send(uint32_t frame, const Bytes &data) {
    const unsigned i = put_++ % entries;
    frames_[i] = frame;
    const uint32_t a = txBuffers + room * i, d = txRing + 8 * i;
    for (uint32_t n = 0; n < data.size(); ++n)
        byte(a + n) = data[n];
    setWord(d, a);
    setWord(d + 4, 0x10000 - static_cast<unsigned>(data.size()));
    setWord(d + 6, 0);
    setWord(d + 2, OWN | STP | ENP);
    ++queued_;
}

void Station::demand() {
    write(RDP, 0x0048);
}

void Station::serve() {
    if (!lance_interrupt(chip))
        return;
    const unsigned csr0 = readCsr0();
    missed += csr0 >> 12 & 1;
    csrErrors += (csr0 & 0x6800) != 0;
    write(RDP, (csr0 & 0x7F00) | 0x0040);
    collectReceived();
    collectSent();
}

void Station::collectSent() {
    while (queued_) {
        const unsigned i = sent_ % entries;
        const unsigned status = word(txRing + 8 * i + 2);
        if (status & OWN)
            break;
        ++sent_;
        --queued_;
        onSent({frames_[i], status, status & ERR ? word(txRing + 8 * i + 6) : 0});
    }
}

void Station::collectReceived() {
    for (;;) {
        const unsigned i = received_ % entries;
        const uint32_t d = rxRing + 8 * i;
        const unsigned status = word(d + 2);
        if (status & OWN)
            return;
        Bytes data;
        if (!(status & ERR))
            for (unsigned n = 0; n + 4 < word(d + 6); ++n)
                data.push_back(byte(rxBuffers + room * i + n));
        onReceived(data, status);
        setWord(d + 2, OWN);
        ++received_;
    }
}

} // namespace mcpi::saturate
