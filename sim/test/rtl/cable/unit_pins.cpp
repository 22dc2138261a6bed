// SPDX-License-Identifier: BSD-2-Clause
// A board's serial line and its PHY at MDIO, each against the other end written here.
#include "rtl/cable/mdio_phy.h"
#include "rtl/cable/serial_pins.h"
#include "test/check.h"

using namespace mcpi;

namespace {

constexpr unsigned address = 3;

/// Drives a frame as a board does: preamble, 01, operation, PHY, register, turn-around, data.
uint32_t access(MdioPhy &phy, unsigned preamble, unsigned of, unsigned operation, unsigned number,
                uint32_t data) {
    const uint32_t frame = 1u << 30 | operation << 28 | of << 23 | number << 18 | 2u << 16 | data;
    uint32_t seen = 0;
    bool pin = true;
    for (unsigned n = 0; n < preamble + 32; ++n) {
        const bool out = n < preamble || frame >> (31 - (n - preamble)) & 1;
        const bool drives = operation == 1 || n < preamble + 14;
        pin = phy.pins(false, out, drives);
        phy.pins(true, out, drives);
        seen = seen << 1 | pin;
    }
    phy.pins(false, true, false);
    return seen & 0x1ffff; // its 0 of the turn-around, and the data
}

uint32_t read(MdioPhy &phy, unsigned number, unsigned of = address, unsigned preamble = 32) {
    return access(phy, preamble, of, 2, number, 0);
}

void write(MdioPhy &phy, unsigned number, unsigned data) {
    access(phy, 32, address, 1, number, data);
}

void registers() {
    MdioPhy phy(address);
    CHECK(read(phy, 2) == 0x0022 && read(phy, 3) == 0x1622);
    CHECK(read(phy, 2, address + 1) == 0x1ffff && read(phy, 2, address, 40) == 0x0022);
    write(phy, 9, 0xBEEF);
    CHECK(read(phy, 9) == 0xBEEF && read(phy, 8) == 0);
    phy.reset();
    CHECK(read(phy, 9) == 0);
}

void link() {
    MdioPhy a(address), b(address);
    MdioPhy::join(a, b, true);
    CHECK(read(a, 1) == 0 && a.shown() == 0);
    MdioPhy::join(a, b, false);
    CHECK(read(a, 1) == 0x24 && read(b, 5) == 0x1E1 && b.shown() == 0b1011);
    write(b, 4, 0x41); // offers 10 Mb/s alone
    MdioPhy::join(a, b, false);
    CHECK(read(a, 5) == 0x41 && a.shown() == 0b1001);
    write(b, 4, 1);
    MdioPhy::join(a, b, false);
    CHECK(read(a, 1) == 0x20 && a.shown() == 0);
    write(b, 0, 0x2100); // forced, and the other negotiates
    MdioPhy::join(a, b, false);
    CHECK(read(a, 1) == 0 && read(b, 1) == 0);
    write(a, 0, 0x2100);
    MdioPhy::join(a, b, false);
    CHECK(read(a, 1) == 4 && a.shown() == 0b1011);
    write(a, 0, 0x0100);
    MdioPhy::join(a, b, false);
    CHECK(read(a, 1) == 0);
}

/// Two ends of a line; one is a clock behind.
void line() {
    SerialPins host, board;
    bool down = true, up = true;
    for (unsigned n = 0; n < 256; ++n)
        host.send(uint8_t(n * 7));
    unsigned got = 0, clocks = 0;
    for (uint8_t byte; got < 256; ++clocks) {
        CHECK(clocks < 256 * 101);
        const bool next = host.clock(up);
        up = board.clock(down);
        down = next;
        if (board.receive(byte))
            CHECK(byte == uint8_t(got++ * 7));
    }
    CHECK(clocks > 255 * 100);
    for (unsigned n = 0; n < 300; ++n)
        CHECK(host.clock(true));
    CHECK(!host.sends());
}

} // namespace

int main() {
    registers();
    link();
    line();
}
