// SPDX-License-Identifier: BSD-2-Clause
// The chip's 64 KB of addresses in the 128 KB window of the IOASIC (sources/lance.md 3.2), as the
// driver sees them; frames.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "link/frame.h"

namespace mcpi::histories {

using Bytes = std::vector<uint8_t>;

inline Bytes operator+(Bytes a, const Bytes &b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}
/// The four bytes of the FCS, as sent.
inline Bytes fcs(const Bytes &data) {
    const Bytes whole = withFcs(data);
    return {whole.end() - 4, whole.end()};
}

/// `memory` is all of physical memory, the window begins at `base`.
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
    /// A buffer has 16 bytes of every 32.
    void setBytes(uint32_t a, const Bytes &data) {
        for (std::size_t i = 0; i < data.size(); ++i) {
            const uint32_t at = (a + static_cast<uint32_t>(i)) & 0xFFFF;
            memory[base + at / 16 * 32 + at % 16] = data[i];
        }
    }

    uint8_t *memory;
    uint32_t base;
};

} // namespace mcpi::histories
