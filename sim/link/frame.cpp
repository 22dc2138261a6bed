// SPDX-License-Identifier: BSD-2-Clause
#include "frame.h"

#include <algorithm>
#include <array>

namespace mcpi {

std::vector<uint8_t> frameBytes(const std::vector<uint8_t> &nibbles) {
    std::size_t i = 0;
    while (i < nibbles.size() && nibbles[i] == 0x5)
        ++i;
    if (i == nibbles.size() || nibbles[i] != 0xD || (nibbles.size() - ++i) % 2)
        return {};
    std::vector<uint8_t> bytes;
    for (; i < nibbles.size(); i += 2)
        bytes.push_back(static_cast<uint8_t>(nibbles[i] | nibbles[i + 1] << 4));
    return bytes;
}

uint32_t crc32(const uint8_t *bytes, std::size_t size) {
    static const auto table = [] {
        std::array<uint32_t, 256> t{};
        for (uint32_t i = 0; i < 256; ++i) {
            uint32_t c = i;
            for (int k = 0; k < 8; ++k)
                c = c & 1 ? 0xEDB88320 ^ c >> 1 : c >> 1;
            t[i] = c;
        }
        return t;
    }();
    uint32_t crc = ~0u;
    for (std::size_t i = 0; i < size; ++i)
        crc = table[(crc ^ bytes[i]) & 0xFF] ^ crc >> 8;
    return ~crc;
}

std::vector<uint8_t> frameNibbles(const std::vector<uint8_t> &bytes) {
    std::vector<uint8_t> nibbles(15, 0x5);
    nibbles.push_back(0xD);
    for (const uint8_t byte : bytes) {
        nibbles.push_back(byte & 15);
        nibbles.push_back(byte >> 4);
    }
    return nibbles;
}

std::vector<uint8_t> withFcs(std::vector<uint8_t> bytes) {
    const uint32_t fcs = crc32(bytes.data(), bytes.size());
    for (int i = 0; i < 4; ++i)
        bytes.push_back(static_cast<uint8_t>(fcs >> (8 * i)));
    return bytes;
}

} // namespace mcpi
