// SPDX-License-Identifier: BSD-2-Clause
// When loads, stores, STx_C and DMA reach memory.
#include "core.h"

#include <algorithm>
#include <utility>

#include "alpha/operate.h"

namespace mcpi::exact {
namespace {

using memory::TickEvents;

} // namespace

/// With ideal memory the bus has been used since.
void Core::betweenTicks() {
    const TickEvents &h = memory_.tickEvents();
    if (h.has(TickEvents::loadTaken)) {
        loads(false);
        late_.hits(loading_.reg);
    }
    const bool first = memory_.storesFirst();
    if (h.fetched != memory::noBlock && !first)
        fetchedIn(h.fetched, memory_.placeOf(h.fetched), false);
    if (h.has(TickEvents::writeReachesMemory))
        writes(h.block);
    if (h.has(TickEvents::storeConditionalDecided) && conditional_.waits)
        decided(memory_.now() - 1, h.has(TickEvents::storeConditionalSucceeds));
    if (h.fetched != memory::noBlock && first)
        fetchedIn(h.fetched, memory_.placeOf(h.fetched), false);
}

uint64_t Core::seen(uint64_t address) const {
    uint64_t value = cpu_.ram().get(address, 8);
    for (const Store &store : stored_)
        for (unsigned n = 0; n < store.bytes; ++n)
            if (const uint64_t at = store.address + n - address; at < 8)
                value = (value & ~(uint64_t{0xFF} << 8 * at)) | (store.value >> 8 * n & 0xFF)
                                                                    << 8 * at;
    return value;
}

/// Memory is about to: what the I-cache and the stream buffer have of it stays as it is.
void Core::changes(uint64_t block) {
    if (memory_.fetched(block))
        fetched_.changes(block, FetchedCode::Place::cache, cpu_.ram());
    if (memory_.streamed(block) || memory_.coming(block))
        fetched_.changes(block, FetchedCode::Place::stream, cpu_.ram());
}

/// With ideal memory DMA has written as soon as it has the bus. The D-cache hears of it in the end.
void Core::dma(bool ends) {
    const memory::Dma &dma = memory_.bus().dma();
    const uint64_t block = dma.address / blockBytes_;
    if (dma.write && ideal_ != ends)
        changes(block);
    if (dma.write && ideal_)
        before_.block = memory::noBlock;
    if (dma.write && ideal_ && !ends && memory_.loaded(block)) {
        const uint8_t *const from = cpu_.ram().data() + block * blockBytes_;
        before_ = {block, {from, from + blockBytes_}};
    }
    io_->dma(memory_.now(), ends);
}

/// Carry the tick of memory over to data, registers, prediction.
void Core::memorysSide() {
    const TickEvents &h = memory_.tickEvents();
    const uint64_t tick = memory_.now();
    const bool loaded = std::exchange(loaded_, false);
    if (translates_)
        fetchesMapped();
    if (!h.bits)
        return;
    if (h.has(TickEvents::blockArrives) && !memory_.failed())
        fetchedIn(step_.pc / blockBytes_, memory_.placeOf(step_),
                  h.has(TickEvents::blockFromVictimCache));
    if (h.has(TickEvents::loadHits)) {
        loads(true);
        if (loaded)
            late_.writes(loading_.reg);
    }
    if (h.has(TickEvents::loadHitsVictimCache))
        loads(true);
    if (h.has(TickEvents::dmaEnds))
        dma(true);
    if (h.has(TickEvents::loadTaken))
        loads(false);
    if (h.has(TickEvents::dmaTaken))
        dma(false);
    if (h.has(TickEvents::writeReachesMemory) && coherent_)
        writing_ = h.block;
    else if (h.has(TickEvents::writeReachesMemory))
        writes(h.block);
    if (h.has(TickEvents::writeSentToPrivateCache))
        sendToPrivateCache(h.block);
    if (h.has(TickEvents::storeBuffered))
        buffered();
    if (h.has(TickEvents::storeInCacheOnly)) {
        const auto store = std::find_if(stored_.begin(), stored_.end(),
                                        [](const Store &one) { return !one.buffered; });
        store->buffered = true;
        writes(store->address / blockBytes_);
    }
    if (h.has(TickEvents::storeConditionalDecided))
        decided(tick, h.has(TickEvents::storeConditionalSucceeds));
    if (h.has(TickEvents::icacheFlushed))
        fetched_.flush(step_.pc, memory_.recalling(), cpu_.ram());
    if (h.has(TickEvents::accessFailed))
        machineCheck_ = std::min(machineCheck_, tick + 1);
}

/// Values that come late, and when their instructions may retire.
void Core::lateResults() {
    const bool filled = memory_.tickEvents().has(TickEvents::loadFilled);
    const uint64_t tick = memory_.now();
    const unsigned reg = filled ? loading_.reg : tick == busResult_.at ? busResult_.reg : 31;
    if (late_.tick(reg, tick == product_.at || tick == earlier_.at)) {
        if (product().reg != 31)
            retirement_.written(tick);
        exits();
    }
    if (tick >= product_.at && tick < checked_ && late_.productWaits()) { // of a /V form
        overflow_ += overflow_ == checked_;
        ++checked_;
    }
    if (filled)
        retirement_.filled(tick);
}

/// `hits`: the D-cache has the block.
void Core::loads(bool hits) {
    auto &l = loading_;
    l.waits = false;
    if (l.address >= cpu_.ram().size())
        return; // where no memory is, any value is right
    if (l.reg != 31)
        cpu_.r[l.reg] = loaded(hits);
    if (coherent_ && l.reg != 31)
        read_ = {l.address, cpu_.r[l.reg], l.bytes};
    if (!hits && before_.block == l.address / blockBytes_)
        before_.block = memory::noBlock; // from here on the D-cache has what memory has
}

/// Memory's, or of a store that has not reached it.
uint64_t Core::loaded(bool hits) const {
    const auto &l = loading_;
    uint64_t value = cpu_.ram().get(l.address, l.bytes);
    if (hits && before_.block != memory::noBlock && before_.block == l.address / blockBytes_)
        value = before_.get(l.address % blockBytes_, l.bytes);
    for (const Store &store : stored_)
        for (unsigned i = 0; i < l.bytes; ++i) {
            const uint64_t at = l.address + i - store.address; // wraps if before it
            if (at < store.bytes)
                value = (value & ~(uint64_t{0xFF} << 8 * i)) | (store.value >> 8 * at & 0xFF)
                                                                   << 8 * i;
        }
    return l.bytes == 4 ? alpha::sext32(value) : value;
}

/// A register, as whoever needs it will have it.
uint64_t Core::value(unsigned reg) const {
    const bool loads = loading_.waits && reg == loading_.reg && reg != 31;
    return loads && loading_.address < cpu_.ram().size() ? loaded(false) : cpu_.r[reg];
}

/// The oldest store that has none has its entry of the write buffer. What it overwrites there never
/// reaches memory: a loop that stores to one place may merge for ever.
void Core::buffered() {
    const auto next = std::find_if(stored_.begin(), stored_.end(),
                                   [](const Store &store) { return !store.buffered; });
    if (next == stored_.end())
        return;
    next->buffered = true;
    const auto overwritten = [&](const Store &store) {
        return store.address == next->address && store.bytes == next->bytes && !store.sent;
    };
    stored_.erase(std::remove_if(stored_.begin(), next, overwritten), next);
}

/// The write buffer's entry of the block is on its way; what follows it there comes later.
void Core::sendToPrivateCache(uint64_t block) {
    for (Store &store : stored_)
        store.sent |= store.buffered && store.address / blockBytes_ == block;
}

/// Move the write buffer's stores of the block to memory.
void Core::writes(uint64_t block) {
    const uint64_t from = block * blockBytes_;
    const auto goes = [=](const Store &store) {
        return store.buffered && store.sent == coherent_ && store.address - from < blockBytes_;
    };
    const bool ram = from < cpu_.ram().size();
    if (ram)
        changes(block);
    for (const Store &store : stored_)
        if (goes(store) && ram) {
            cpu_.ram().put(store.address, store.bytes, store.value);
            if (before_.block == block)
                before_.put(store.address - from, store.bytes, store.value);
        }
    stored_.erase(std::remove_if(stored_.begin(), stored_.end(), goes), stored_.end());
}

/// STx_C: memory's side knows whether the flag was still up.
void Core::decided(uint64_t tick, bool stores) {
    auto &c = conditional_;
    c.waits = false;
    const bool accesses = c.address >> 32 && !memory_.drained(); // a device, and the flag was up
    if (accesses)
        toDevice(tick - 1, {c.address, c.value, c.bytes, c.reg, true});
    else
        busResult_ = {tick + 2, c.reg};
    if (c.reg != 31)
        cpu_.r[c.reg] = stores || accesses;
    if (!stores || c.address >= cpu_.ram().size())
        return;
    if (coherent_)
        conditionalStores_ = true;
    else
        storesConditional();
}

void Core::storesConditional() {
    const auto &c = conditional_;
    const uint64_t block = c.address / blockBytes_;
    changes(block);
    cpu_.ram().put(c.address, c.bytes, c.value);
    if (before_.block == block) // the D-cache drops it
        before_.block = memory::noBlock;
}

} // namespace mcpi::exact
