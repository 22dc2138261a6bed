// SPDX-License-Identifier: BSD-2-Clause
// A frame as nibbles on a wire, its bytes, its checksum.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mcpi {

/// A frame as it passed: the ticks at which its first bit began and its last bit had gone, on
/// either side; `nibbles` with the preamble.
struct Passage {
    uint64_t sentFirst = 0, sentLast = 0, receivedFirst = 0, receivedLast = 0;
    std::vector<uint8_t> nibbles;
    bool error = false;
    bool lost = false; ///< it never arrived: no tick of the receiver's
};

/// The bytes between start-of-frame delimiter and the end, FCS included; empty without a delimiter
/// or with half a byte left over.
std::vector<uint8_t> frameBytes(const std::vector<uint8_t> &nibbles);

/// CRC-32 of IEEE 802.3 over `size` bytes, as it is sent (least significant byte first).
uint32_t crc32(const uint8_t *bytes, std::size_t size);

/// Preamble, delimiter and these bytes, as nibbles.
std::vector<uint8_t> frameNibbles(const std::vector<uint8_t> &bytes);

/// The bytes and their FCS.
std::vector<uint8_t> withFcs(std::vector<uint8_t> bytes);
} // namespace mcpi
