// SPDX-License-Identifier: BSD-2-Clause
// The IOASIC's registers (dense offsets in slot 7, lance.md) and the station of a history.
#pragma once
#include <cstdint>

namespace mcpi::histories {

constexpr uint32_t RDP = 0xC0000, RAP = 0xC0004, POINTER = 0x40020, SSR = 0x40100, SIR = 0x40110,
                   SIMR = 0x40120;
constexpr uint32_t SSR_DMA = 1 << 16, SSR_ON = 1 << 8, SIR_LANCE = 1 << 8, SIR_READ_ERROR = 1 << 16;
constexpr uint8_t stationAddress[6] = {0x08, 0x00, 0x2B, 0x01, 0x02, 0x03};
constexpr unsigned nibbleTicks = 70;

} // namespace mcpi::histories
