// SPDX-License-Identifier: BSD-2-Clause
// A step of a network controller, to the tick: an ownership of the bus, or a single tick.
#pragma once
#include <cstdint>

namespace mcpi {

/// Ticks `from` to `until` - 1. Of an ownership: the wiring moves its data in ticks `moves` to
/// `moved` - 1.
struct LanceStep {
    enum Kind : uint8_t {
        demand,     ///< the tick in which TDMD is written into CSR0
        readWord,   ///< of a descriptor or the initialization block
        writeWord,  ///< of a descriptor
        readBurst,  ///< of a frame, out of memory
        writeBurst, ///< of a frame, into memory
        interrupt,  ///< the tick in which the interrupt line rises
    };
    Kind kind;
    uint64_t from, until, moves = 0, moved = 0;

    static LanceStep at(Kind kind, uint64_t tick) { return {kind, tick, tick + 1}; }
    static Kind ownership(bool burst, bool write) {
        if (burst)
            return write ? writeBurst : readBurst;
        return write ? writeWord : readWord;
    }
};

} // namespace mcpi
