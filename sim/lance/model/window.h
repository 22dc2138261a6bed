// SPDX-License-Identifier: BSD-2-Clause
// The chip's 64 KB of addresses in the 128 KB window of the IOASIC (sources/lance.md 3.2).
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace mcpi::lance_model {

using Bytes = std::vector<uint8_t>;

/// `memory` is all of physical memory, the window begins at `base`.
///
/// `unspecified` collects the addresses whose bytes nobody specifies: the upper half of a longword
/// into which the chip wrote one word, and what follows the last byte of a burst.
class Window {
  public:
    Window(uint8_t *memory, uint32_t base) : memory(memory), base(base) {}

    unsigned word(uint32_t a) const {
        const uint32_t at = base + 2 * (a & 0xFFFE);
        return memory[at] | memory[at + 1] << 8;
    }
    void setWord(uint32_t a, unsigned value) {
        const uint32_t at = base + 2 * (a & 0xFFFE);
        memory[at] = value & 0xFF;
        memory[at + 1] = value >> 8 & 0xFF;
    }
    void chipWritesWord(uint32_t a, unsigned value) {
        setWord(a, value);
        const uint32_t at = base + 2 * (a & 0xFFFE);
        unspecified.push_back(at + 2);
        unspecified.push_back(at + 3);
        written.emplace_back(a & 0xFFFE, value & 0xFFFF);
    }
    /// Physical address of a buffer's byte: 16 bytes of every 32.
    uint32_t place(uint32_t a) const {
        a &= 0xFFFF;
        return base + a / 16 * 32 + a % 16;
    }
    Bytes bytes(uint32_t a, unsigned size, bool swap = false) const {
        Bytes data(size);
        for (unsigned i = 0; i < size; ++i)
            data[i] = memory[place((a + i) ^ swap)];
        return data;
    }
    void setBytes(uint32_t a, const Bytes &data) {
        for (std::size_t i = 0; i < data.size(); ++i)
            memory[place(a + static_cast<uint32_t>(i))] = data[i];
    }
    /// Bursts write whole longwords: what they reach beside `data` is anybody's.
    void chipWritesBytes(uint32_t a, const uint8_t *data, unsigned size, bool swap) {
        Bytes hit(size / 16 * 32 + 96);
        const uint32_t low = place(a) & ~31u;
        for (unsigned i = 0; i < size; ++i) {
            const uint32_t at = place((a + i) ^ swap);
            memory[at] = data[i];
            hit[at - low] = 1;
        }
        for (uint32_t at = 0; at < hit.size(); at += 4)
            if (hit[at] || hit[at + 1] || hit[at + 2] || hit[at + 3])
                for (uint32_t k = at; k < at + 4; ++k)
                    if (!hit[k])
                        unspecified.push_back(low + k);
    }

    uint8_t *memory;
    uint32_t base;
    std::vector<uint32_t> unspecified;
    std::vector<std::pair<uint32_t, unsigned>> written; ///< words by the chip, in order
};

} // namespace mcpi::lance_model
