// SPDX-License-Identifier: BSD-2-Clause
#include "history.h"

#include "base/error.h"
#include "base/text.h"

namespace mcpi::exact {
namespace {

using memory::TickEvents;

constexpr const char *requests[] = {"read",       "read_exclusive", "upgrade",
                                    "write_back", "dma_read",       "dma_write"};
constexpr const char *wishes[] = {"load", "demand", "prefetch", "write"};
constexpr char states[] = "ISEM";

std::string words(const Core::Moved &moved) {
    return std::to_string(moved.bytes) + " " + hex(moved.value);
}

} // namespace

History::History(const std::string &path, uint64_t blockBytes)
    : out_(path), blockBytes_(blockBytes) {
    if (!out_)
        throw UserError(path + ": cannot be written.");
    out_ << "tick,place,what,at,more\n";
}

void History::row(uint64_t tick, unsigned place, const char *what, uint64_t at,
                  const std::string &more) {
    out_ << tick << ',' << place << ',' << what << ',' << hex(at) << ',' << more << '\n';
}

void History::tick(CoherentNode &node) {
    const uint64_t tick = node.now() - 1;
    if (const memory::Ordered *o = node.ordered())
        row(tick, o->place, requests[static_cast<unsigned>(o->what)], o->block,
            std::to_string(o->ends) + (o->remote ? " remote" : ""));
    for (unsigned n = 0; n < node.cores(); ++n)
        if (node.stepped(n))
            core(node, tick, n);
}

/// In the order of the steps; a load that hits reads before the writes of its tick.
void History::core(CoherentNode &node, uint64_t tick, unsigned n) {
    Core &core = node.core(n);
    const memory::PrivateCache &own = *core.memory().privateCache();
    const TickEvents &h = core.memory().tickEvents();
    if (own.drops(tick))
        row(tick, n, "drop", own.block(), "");
    if (own.decides(tick))
        row(tick, n, "decide", own.block(), std::string(1, states[static_cast<int>(own.found())]));
    if (h.events & bit(Event::locksLinked))
        row(tick, n, "linked", core.linked(), "");
    if (h.has(TickEvents::loadHits))
        row(tick, n, "hit", core.read().address, words(core.read()));
    if (h.has(TickEvents::loadTaken))
        row(tick, n, "data", core.read().address, words(core.read()));
    if (h.has(TickEvents::writeReachesMemory)) {
        std::string bytes;
        for (uint64_t i = 0; i < blockBytes_; ++i) {
            const uint8_t byte = node.byteAt(h.block * blockBytes_ + i);
            bytes += "0123456789abcdef"[byte >> 4];
            bytes += "0123456789abcdef"[byte & 15];
        }
        row(tick, n, "write", h.block, bytes);
    }
    if (h.has(TickEvents::storeConditionalDecided))
        row(tick, n, h.has(TickEvents::storeConditionalSucceeds) ? "success" : "failure",
            core.conditional().address, words(core.conditional()));
    if (own.takes(tick))
        row(tick, n, "take", own.block(),
            std::string(wishes[static_cast<int>(own.who())]) +
                (own.conditional() ? " conditional" : ""));
    if (h.has(TickEvents::storeBuffered))
        row(tick, n, "buffered", 0, "");
    if (core.storing())
        row(tick, n, "store", core.stored().address, words(core.stored()));
}

} // namespace mcpi::exact
