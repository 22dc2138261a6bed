// SPDX-License-Identifier: BSD-2-Clause
// Watches every DMA command of the chip, in the tick in which memory takes it, for the rules that
// hold at every moment and not only when the chip lies still.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "card.h"
#include "window.h"

namespace mcpi::histories {

/// The chip reads and writes a buffer only while it owns the descriptor, writes into a descriptor
/// only while it owns it, words 1 and 3 alone, and nothing at all while it is stopped.
class Monitor {
  public:
    struct Area {
        uint32_t base = 0;
        unsigned size = 1; ///< descriptors
    };
    Monitor(Window &window) : window_(window) {}

    Area rx, tx;
    uint32_t initBlock = 0;
    bool stopped = true;
    Card *card = nullptr;
    uint32_t quick = 10, slow = 10; ///< ticks memory takes: for a word of a ring, for a burst
    std::string broken;             ///< the first rule that was, or empty

    /// Words written into either ring, in order.
    std::vector<std::pair<uint32_t, unsigned>> rxWords, txWords;
    uint64_t firstStatus = 0; ///< since `forget`, tick of the first descriptor given back; 0: none
    uint32_t stored = 0;      ///< since `forget`, frame bytes written, in whole longwords
    uint64_t commands = 0;
    void forget();

    static void watch(void *self, const lance_dma *dma) {
        static_cast<Monitor *>(self)->command(*dma);
    }

  private:
    void command(const lance_dma &dma);
    void burst(const lance_dma &dma, uint32_t a);
    void descriptorWrite(const lance_dma &dma, const Area &area, uint32_t a);
    bool ownsAny(const Area &area, uint32_t a) const;

    Window &window_;
};

} // namespace mcpi::histories
