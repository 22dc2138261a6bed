// SPDX-License-Identifier: BSD-2-Clause
#include "miss_recorder.h"

#include <algorithm>

#include "base/text.h"

namespace mcpi::exact {
namespace {

using memory::Kind;
using memory::TickEvents;

constexpr std::pair<Event, const char *> purposes[] = {{Event::bcacheLoads, "load"},
                                                       {Event::bcacheFetches, "fetch"},
                                                       {Event::bcachePrefetches, "prefetch"},
                                                       {Event::bcacheWrites, "write"}};

uint64_t blocks(const Machine &machine, const char *cache) {
    return machine.parameter(cache) / machine.parameter("cache.block");
}

bool has(Events events, Event event) {
    return events & bit(event);
}

} // namespace

MissRecorder::MissRecorder(const Machine &machine, const std::string &folder, unsigned node)
    : file_(folder + "/misses." + std::to_string(node) + ".csv"), text_(file_),
      blockBytes_(machine.parameter("cache.block")), i_(blocks(machine, "icache.size")),
      d_(blocks(machine, "dcache.size")), b_(blocks(machine, "bcache.size")),
      bcache_(blocks(machine, "bcache.size"), none) {
    if (machine.parameter("memory.ideal"))
        throw UserError("--misses: memory.ideal is on: its blocks come in the tick that wants "
                        "them, and no log follows them.");
    text_.text = "tick,cache,kind,class,pc,address,evicted\n";
}

void MissRecorder::before(const Core &core) {
    const memory::Hierarchy &memory = core.memory();
    const memory::Cache &icache = memory.icache(), &dcache = memory.dcache();
    const memory::Step &wanted = core.wanted();
    wanted_ = core.cpu().programCounter() & physicalMask;
    wantedAt_ = wanted.pc;
    tag_ = memory.tagOf(wanted);
    there_ = memory.fetchedAt(icache.place(tag_));
    filled_ = memory.fills();
    if (filled_) {
        lineOfFill_ = dcache.place(memory.filling());
        atLine_ = dcache.at(lineOfFill_);
    }
}

void MissRecorder::after(const Core &core, const TickRun &run, bool counts) {
    const memory::Hierarchy &memory = core.memory();
    if (filled_ && !memory.fills())
        ends(d_, memory.dcache().at(lineOfFill_) == atLine_ ? none : atLine_);
    executes(memory, run, counts);
    fetches(memory, run, counts);
    usesBus(memory, run, counts);
    drops(memory);
    issued_.kind = Kind::other;
    if (run.owner == Owner::issue) {
        issued_ = core.issued().step;
        issuedAt_ = run.pc & physicalMask;
        i_.classes.access(memory.tagOf(issued_));
    }
    settle();
}

/// Stage E1 has the instruction that issued in the tick before.
void MissRecorder::executes(const memory::Hierarchy &memory, const TickRun &run, bool counts) {
    const uint64_t block = memory.blockOf(issued_.address);
    const bool misses = has(run.events, Event::dcacheMisses);
    if (issued_.kind == Kind::store && !has(run.events, Event::dcacheAccesses))
        d_.classes.use(block); // the write buffer takes it: it brings no block
    if (!has(run.events, Event::dcacheAccesses))
        return;
    if (misses || has(run.events, Event::dcacheVictimHits)) {
        const char *kind = issued_.kind == Kind::store ? "store" : misses ? "load" : "victim";
        const auto of = static_cast<unsigned>(d_.classes.of(block));
        loadAt_ = issuedAt_;
        ends(d_, none);
        d_.waits = add({run.tick, 'd', kind, misses ? missClassNames[of] : "", issuedAt_,
                        issued_.address, none, counts, false});
    }
    d_.classes.access(block);
}

void MissRecorder::fetches(const memory::Hierarchy &memory, const TickRun &run, bool counts) {
    const TickEvents &happened = memory.tickEvents();
    const bool misses = has(run.events, Event::icacheMisses);
    if (misses || has(run.events, Event::icacheVictimHits)) {
        const bool streams = has(run.events, Event::icacheStreamHits);
        const char *kind = streams ? "stream" : misses ? "fetch" : "victim";
        const auto of = static_cast<unsigned>(i_.classes.of(tag_));
        ends(i_, none); // a trap has overtaken it
        i_.waits = add({run.tick, 'i', kind, misses ? missClassNames[of] : "", wanted_,
                        wantedAt_ & ~uint64_t{3}, none, counts, false});
        i_.classes.access(tag_);
    }
    if (happened.has(TickEvents::blockArrives))
        ends(i_, happened.has(TickEvents::icacheFlushed) ? none : there_);
    if (!happened.has(TickEvents::icacheFlushed))
        return;
    if (memory.flushesAll())
        i_.classes.flush();
    else
        i_.classes.dropIf(memory::isOfOneSpace);
}

void MissRecorder::usesBus(const memory::Hierarchy &memory, const TickRun &run, bool counts) {
    if (!has(run.events, Event::bcacheAccesses))
        return;
    const uint64_t block = memory.bus().block();
    const auto purpose = std::find_if(std::begin(purposes), std::end(purposes),
                                      [&](const auto &one) { return has(run.events, one.first); });
    if (has(run.events, Event::bcacheMisses)) {
        uint64_t &line = bcache_[block & (bcache_.size() - 1)];
        const bool kept = memory.bus().bcache().holds(block);
        const auto of = static_cast<unsigned>(b_.classes.of(block));
        const bool writes = purpose->first == Event::bcacheWrites;
        const bool loads = purpose->first == Event::bcacheLoads;
        add({run.tick, 'b', purpose->second, missClassNames[of],
             writes  ? none
             : loads ? loadAt_
                     : wanted_,
             memory.addressOf(block), kept ? line : none, counts, true});
        line = kept ? block : line;
    }
    b_.classes.access(block);
}

/// Behind the tick: DMA or STx_C has written a block.
void MissRecorder::drops(const memory::Hierarchy &memory) {
    const TickEvents &happened = memory.tickEvents();
    if (memory.bus().wrote() != none)
        d_.classes.drop(memory.blockOf(memory.bus().wrote()));
    if (happened.has(TickEvents::storeConditionalSucceeds))
        d_.classes.drop(happened.block);
}

void MissRecorder::write() {
    ends(i_, none);
    ends(d_, none);
    settle();
    text_.write(file_);
}

MissRecorder::Row *MissRecorder::add(const Row &row) {
    rows_.push_back(row);
    return &rows_.back();
}

/// Its block has come, and has displaced this one; or none will.
void MissRecorder::ends(Level &level, uint64_t evicted) {
    if (!level.waits)
        return;
    level.waits->evicted = evicted;
    level.waits->ends = true;
    level.waits = nullptr;
}

void MissRecorder::settle() {
    for (; !rows_.empty() && rows_.front().ends; rows_.pop_front()) {
        const Row &row = rows_.front();
        if (!row.counts)
            continue;
        text_.text += std::to_string(row.tick) + ',' + row.cache + ',' + row.kind + ',' +
                      row.missClass + ',' + (row.pc == none ? "" : hex(row.pc)) + ',' +
                      hex(row.address) + ',' +
                      (row.evicted == none ? "" : hex(row.evicted * blockBytes_)) + '\n';
        text_.settle();
    }
}

} // namespace mcpi::exact
