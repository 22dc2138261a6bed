// SPDX-License-Identifier: BSD-2-Clause
#include "monitor.h"

#include "difference.h"
#include "lance/registers.h"

namespace mcpi::histories {

using namespace am7990;

void Monitor::forget() {
    rxWords.clear();
    txWords.clear();
    firstStatus = 0;
    stored = 0;
}

/// An owned descriptor's buffer has one of the 16 chip addresses from `a`.
bool Monitor::ownsAny(const Area &area, uint32_t a) const {
    for (unsigned i = 0; i < area.size; ++i) {
        const uint32_t d = area.base + 8 * i;
        if (!(window_.word(d + 2) & OWN))
            continue;
        const uint32_t from = window_.word(d), size = 4096 - (window_.word(d + 4) & 0xFFF);
        if (from < a + 16 && a < from + size)
            return true;
    }
    return false;
}

void Monitor::command(const lance_dma &dma) {
    ++commands;
    card->setLatency(quick);
    if (!broken.empty())
        return;
    if (stopped) {
        broken = text("DMA at %llx while the chip is stopped", (unsigned long long)dma.address);
        return;
    }
    const uint64_t offset = dma.address - window_.base;
    if (dma.address < window_.base || offset >= 0x20000) {
        broken = text("DMA at %llx, outside of the window", (unsigned long long)dma.address);
        return;
    }
    const auto word = static_cast<uint32_t>(offset / 2); // chip address, if it is a single word
    for (const Area *area : {&rx, &tx}) {
        if (word + 8 <= area->base || word >= area->base + 8 * area->size)
            continue;
        if (dma.write)
            descriptorWrite(dma, *area, word);
        return; // any descriptor may be looked at
    }
    if (word + 8 > initBlock && word < initBlock + 24) {
        if (dma.write)
            broken = text("a write into the init block, chip address %x", word);
        return;
    }
    burst(dma, static_cast<uint32_t>(offset / 32 * 16));
}

void Monitor::burst(const lance_dma &dma, uint32_t a) {
    card->setLatency(slow);
    if (!ownsAny(dma.write ? rx : tx, a))
        broken = text("a burst %s chip address %x, in no buffer the chip owns",
                      dma.write ? "to" : "from", a);
    for (unsigned i = 0; dma.write && i < 16; ++i)
        stored += dma.mask >> i & 1;
}

void Monitor::descriptorWrite(const lance_dma &dma, const Area &area, uint32_t a) {
    for (unsigned lane = 0; lane < 4; ++lane) {
        if (!(dma.mask >> 4 * lane & 15))
            continue;
        const uint32_t at = a + 2 * lane, d = at & ~7u;
        const unsigned value = dma.data[4 * lane] | dma.data[4 * lane + 1] << 8;
        if (!(window_.word(d + 2) & OWN))
            broken = text("descriptor word %x is written, but the chip does not own it", at);
        if (lane % 2 == 0)
            broken = text("descriptor word %x is written, which is the driver's", at);
        if (lane == 1 && value & OWN)
            broken = text("descriptor word %x keeps OWN when it is written", at);
        if (lane == 1 && !firstStatus)
            firstStatus = dma.tick;
        (&area == &rx ? rxWords : txWords).emplace_back(at, value);
    }
}

} // namespace mcpi::histories
