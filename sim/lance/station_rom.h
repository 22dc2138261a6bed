// SPDX-License-Identifier: BSD-2-Clause
// The 32 bytes of a station ROM: address, checksum, both reversed, both again, a pattern twice.
#pragma once
#include <array>
#include <cstdint>

namespace mcpi::exact {

inline uint8_t stationRom(uint64_t station, unsigned i) {
    static constexpr uint8_t pattern[] = {0xFF, 0x00, 0x55, 0xAA};
    std::array<uint8_t, 8> address{};
    for (unsigned k = 0; k < 6; ++k)
        address[k] = static_cast<uint8_t>(station >> 8 * k);
    uint32_t sum = 0;
    for (unsigned k = 0; k < 6; k += 2) {
        sum = sum << 1;
        sum = (sum & 0xFFFF) + (sum >> 16);
        sum += address[k] << 8 | address[k + 1];
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    address[6] = static_cast<uint8_t>(sum >> 8);
    address[7] = static_cast<uint8_t>(sum);
    if (i >= 24)
        return pattern[i % 4];
    return address[i >= 8 && i < 16 ? 15 - i : i % 8];
}

} // namespace mcpi::exact
