// SPDX-License-Identifier: BSD-2-Clause
#include "node.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <verilated.h>

#include "VNode.h"
#include "VNode___024root.h"
#include "base/address.h"
#include "base/clockedge.h"
#include "base/error.h"
#include "base/initial.h"
#include "waves.h"

// Verilator's own steps of an evaluation, which its headers don't declare; null when this Verilator
// names them otherwise. Without them: 1.86 instead of 2.41 million ticks a second.
bool VNode___024root___eval_phase__act(VNode___024root *) __attribute__((weak));
bool VNode___024root___eval_phase__nba(VNode___024root *) __attribute__((weak));

namespace mcpi {
namespace {

constexpr unsigned ownerIssue = 0; // rtl/counters/Owner.scala
/// The machine's cache block is the width of this port.
constexpr unsigned blockBytes = sizeof(std::declval<VNode>().io_backing_rsp_payload);

/// Calls `tell` if this machine has the port that stands in its return type: not all have.
template <typename Top, typename Tell> void ifThere(const Top &top, const Tell &tell) {
    if constexpr (std::is_invocable_v<Tell, const Top &>)
        tell(top);
}

/// The clock edge alone, for when no input has changed: a tenth of an evaluation is what follows
/// the inputs directly, and that is up to date.
void evaluateEdge(VNode &top) {
    if (!VNode___024root___eval_phase__act || !VNode___024root___eval_phase__nba)
        return top.eval();
    do {
        while (VNode___024root___eval_phase__act(top.rootp))
            ;
    } while (VNode___024root___eval_phase__nba(top.rootp));
}

} // namespace

/// For inputs that an output of the same clock follows.
template <typename T> void Node::drive(T &port, T value) {
    settled_ &= port == value;
    port = value;
}

/// For inputs that only registers follow: they need no evaluation before the clock edge.
template <typename T> void Node::driveRegisters(T &port, T value) {
    changed_ |= port != value;
    port = value;
}

Node::Node(const NodeConfig &config)
    : backing(config.ramBytes, config.backingBytes, config.pageBytes, blockBytes, config.latency),
      config_(config), context_(std::make_unique<VerilatedContext>()) {
    context_->threads(1); // a thread that waits would be missing from a copy of the process
    beginAs(*context_);
    context_->traceEverOn(VM_TRACE);
    top_ = std::make_unique<VNode>(context_.get(), "node");
    auto &t = *top_;
    t.io_pause = 1;
    t.io_skip = 0;
    t.io_host_fromHost_valid = t.io_backing_cmd_ready = t.io_backing_rsp_valid = 0;
    t.io_mii_rxDv = t.io_mii_rxStrobe = t.io_mii_rxEr = t.io_mii_rxd = 0;
    t.io_mii_crs = t.io_mii_col = 0;
    t.io_host_toHost_ready = 1;
    t.io_board_value = 0;
    t.reset = 1;
    for (int i = 0; i < 8; ++i) { // nobody listens to what it says before it is reset
        t.clk = i & 1;
        t.eval();
    }
    t.reset = 0;
    settled_ = false;
}

Node::~Node() {
    top_->final();
}

void Node::watch(const std::vector<Marker> &markers) {
    markers_ = markers.empty() ? nullptr : std::make_unique<MarkerTable>(markers);
}

void Node::end() {
    ended_ = true;
    ofRun_ = issued_;
    trapsOfRun_ = trapped_;
    log = nullptr;
}

void Node::wave(const WaveOptions &options) {
    waves_ = std::make_unique<Waves>(*top_, options);
}

void Node::endWaves() {
    if (waves_)
        waves_->close();
}

bool Node::receive(uint8_t &byte) {
    if (fromNode_.empty())
        return false;
    byte = fromNode_.front();
    fromNode_.pop_front();
    return true;
}

/// Virtual time stands still.
void Node::idleClock() {
    drive<uint8_t>(top_->io_pause, 1);
    if (clock())
        throw RunError("a tick passed while virtual time stood still.");
}

/// The strobe lasts one tick: it stays up until the node has had that tick.
void Node::show(const Pins &pins) {
    drive<uint8_t>(top_->io_mii_crs, pins.carrier);
    drive<uint8_t>(top_->io_mii_col, pins.collision);
    driveRegisters<uint8_t>(top_->io_mii_rxStrobe, pins.strobe);
    if (!pins.strobe)
        return;
    driveRegisters<uint8_t>(top_->io_mii_rxDv, pins.nibble.valid);
    driveRegisters<uint8_t>(top_->io_mii_rxEr, pins.nibble.error);
    driveRegisters<uint8_t>(top_->io_mii_rxd, pins.nibble.data);
}

void Node::advance(uint64_t until, Port &mii) {
    mii_ = &mii;
    drive<uint8_t>(top_->io_pause, 0);
    uint64_t limit = clocks_ + patience;
    while (ticks_ < until) {
        const uint64_t due = mii.next(ticks_), quiet = quietUntil(due);
        if (due == ticks_)
            show(mii.at(ticks_));
        else
            driveRegisters<uint8_t>(top_->io_mii_rxStrobe, 0);
        const uint64_t ticks = std::max<uint64_t>(1, std::min(quiet, until - ticks_));
        driveRegisters<uint16_t>(top_->io_skip, static_cast<uint16_t>(ticks - 1));
        while (!clock())
            if (clocks_ > limit)
                throw Stalled("node " + std::to_string(config_.number) + ": no tick within " +
                              std::to_string(patience) + " clocks after tick " +
                              std::to_string(ticks_) + ": somebody holds virtual time.");
        ticks_ += ticks;
        limit = clocks_ + patience;
    }
    if (context_->gotFinish())
        throw RunError("node " + std::to_string(config_.number) +
                       ": an assertion of the RTL failed before tick " + std::to_string(ticks_) +
                       "; it is printed above.");
}

bool Node::ready() {
    top_->io_pause = 0;
    top_->clk = 0;
    top_->eval();
    const bool tick = top_->io_tick;
    top_->io_pause = 1;
    settled_ = false;
    return tick;
}

void Node::restart() {
    trapped_ = traps_ = 0;
    ticks_ = issued_ = lastRetirement_ = lastPc_ = instructions_ = 0;
    exited_ = false;
    exitCode_ = 0;
    show({});
    driveRegisters<uint8_t>(top_->io_mii_rxDv, 0);
    driveRegisters<uint16_t>(top_->io_skip, 0);
}

/// A register of the board is asked for in one clock; its value stands from the next.
void Node::serveBoard() {
    VNode &t = *top_;
    if (t.io_board_write)
        board(t.io_board_number, &t.io_board_data);
    if (t.io_board_read)
        driveRegisters<uint64_t>(t.io_board_value, board(t.io_board_number, nullptr));
}

/// `due`: the tick in which something comes from outside.
uint64_t Node::quietUntil(uint64_t due) const {
    if (!skipping || !backing.idle() || !toNode_.empty()) // these two live in clocks
        return 0;
    return std::min<uint64_t>(top_->io_nextEvent, due - ticks_);
}

/// One clock; whether it was a tick.
bool Node::clock() {
    VNode &t = *top_;
    drive<uint8_t>(t.io_backing_cmd_ready, backing.ready());
    const uint8_t *block = backing.clock();
    drive<uint8_t>(t.io_backing_rsp_valid, block != nullptr);
    if (block) {
        std::memcpy(t.io_backing_rsp_payload.data(), block, blockBytes);
        settled_ = false;
    }
    drive<uint8_t>(t.io_host_fromHost_valid, !toNode_.empty());
    if (!toNode_.empty())
        drive<uint8_t>(t.io_host_fromHost_payload, toNode_.front());
    // With the inputs as they were, the outputs already are those of this clock: one evaluation is
    // enough for it.
    const bool shown = waves_ && waves_->wants(ticks_);
    if (shown || !settled_ || !forgetClock(t.rootp, 0)) {
        t.clk = 0;
        t.eval();
        changed_ = false;
    }

    const bool tick = t.io_tick;
    if (shown && tick)
        waves_->sample(ticks_);
    if (oracle && t.io_bus_dma) // the tick before
        oracle->dma(ticks_ - 1, t.io_bus_address, t.io_bus_write);
    if (lockstep && t.io_bus_dma && t.io_bus_write)
        lockstep->dmaWrites(t.io_bus_address);
    if (log)
        logBus(*log);
    if (log && refills_)
        ifThere(t, [&](const auto &top) -> decltype(top.io_bus_dirtyMiss, void()) {
            log->part(top.io_bus_dirtyMiss, "refill.dcache.dirty_misses");
            log->part(top.io_bus_coreWaits, "refill.bus.core_waits_dma");
        });
    if (span && !ended_)
        logBus(*span);
    if (tick)
        observeTick();
    if (t.io_backing_cmd_valid && t.io_backing_cmd_ready) {
        if (t.io_backing_cmd_payload_write)
            backing.write(t.io_backing_cmd_payload_address, t.io_backing_cmd_payload_data.data(),
                          &t.io_backing_cmd_payload_mask);
        else
            backing.read(t.io_backing_cmd_payload_address);
    }
    if (t.io_host_fromHost_valid && t.io_host_fromHost_ready)
        toNode_.pop_front();
    if (t.io_host_toHost_valid)
        fromNode_.push_back(t.io_host_toHost_payload);

    if (board && (t.io_board_read || t.io_board_write))
        serveBoard();
    t.clk = 1;
    changed_ ? t.eval() : evaluateEdge(t);
    settled_ = true;
    changed_ = false;
    ++clocks_;
    return tick;
}

void Node::observeTick() {
    const VNode &t = *top_;
    if (t.io_mii_txStrobe)
        mii_->send(ticks_, t.io_mii_txd, t.io_mii_txEn, t.io_mii_txEr);
    const bool issues = t.io_events_owner == ownerIssue;
    issued_ += issues;
    trapped_ += t.io_events_trapped;
    if (markers_ && issues && !ended_)
        if (const auto *found = markers_->at(t.io_events_issuePc))
            for (const auto &m : *found) {
                onMarker(ticks_, m);
                if (log)
                    log->marker(m);
            }
    if (calls && issues && !ended_)
        calls->issues(ticks_, t.io_events_issuePc);
    if (oracle)
        oracle->tick({ticks_, t.io_events_owner, t.io_events_issuePc, t.io_events_trapped != 0,
                      t.io_events_coldStart != 0, 1 + uint64_t{t.io_skip}});
    if (t.io_events_coldStart && onColdStart && !ended_)
        onColdStart();
    refills_ = false;
    ifThere(t, [&](const auto &top) -> decltype(top.io_events_translation_fault, void()) {
        refills_ = top.io_events_translation_fetchRefill || top.io_events_translation_dataRefill;
    });
    if (log)
        logTick(*log);
    if (log && refills_) // of a write-back D-cache's counters the parts that are inside a refill
        ifThere(t, [&](const auto &top) -> decltype(top.io_events_storeMiss, void()) {
            log->part(top.io_events_dMiss, "refill.dcache.misses");
        });
    if (span && !ended_)
        logTick(*span);
    if (span && !span->issues()) // what issues next is the span's first
        beforeSpan_ = issued_;
    if (t.io_retire_retired_valid || t.io_retire_trapped_valid)
        observeRetirement();
}

/// What the core tells of this tick.
template <typename Log> void Node::logTick(Log &log) {
    const VNode &t = *top_;
    log.tick(ticks_, t.io_events_owner, t.io_events_issuePc, 1 + uint64_t{t.io_skip});
    log.event(t.io_events_iAccess, "icache.accesses");
    log.event(t.io_events_iMiss, "icache.misses");
    log.event(t.io_events_iStreamHit, "icache.stream_hits");
    log.event(t.io_events_dAccess, "dcache.accesses");
    log.event(t.io_events_dMiss, "dcache.misses");
    log.event(t.io_events_writeAccess, "write_buffer.accesses");
    log.event(t.io_events_writeMerge, "write_buffer.merges");
    log.event(t.io_events_takenBranch, "taken_branches");
    log.event(t.io_events_mispredict, "mispredicts");
    log.event(t.io_events_palMode, "pal_ticks");
    ifThere(t, [&](const auto &top) -> decltype(top.io_events_translation_fault, void()) {
        log.event(top.io_events_translation_fetchMiss, "itb.misses");
        log.event(top.io_events_translation_dataMiss, "dtb.misses");
        log.event(top.io_events_translation_fetchRefill, "itb.refill_ticks");
        log.event(top.io_events_translation_dataRefill, "dtb.refill_ticks");
        log.event(top.io_events_translation_fault, "translation.faults");
        log.event(top.io_events_translation_contextSwitch, "context_switches");
    });
    ifThere(t, [&](const auto &top) -> decltype(top.io_events_storeMiss, void()) {
        log.event(top.io_events_storeMiss, "dcache.store_misses");
    });
    ifThere(t, [&](const auto &top) -> decltype(top.io_events_iVictimHit, void()) {
        log.event(top.io_events_iVictimHit, "icache.victim_hits");
    });
    ifThere(t, [&](const auto &top) -> decltype(top.io_events_dVictimHit, void()) {
        log.event(top.io_events_dVictimHit, "dcache.victim_hits");
    });
}

/// What the memory system tells, a clock late, of the tick before.
template <typename Log> void Node::logBus(Log &log) {
    static const char *kinds[] = {"bcache.fetches", "bcache.prefetches", "bcache.loads",
                                  "bcache.writes"};
    const VNode &t = *top_;
    log.event(t.io_bus_access, "bcache.accesses");
    log.event(t.io_bus_access, kinds[t.io_bus_kind & 3]);
    log.event(t.io_bus_access && (t.io_bus_kind & 3) == 3, "write_buffer.writes");
    log.event(t.io_bus_miss, "bcache.misses");
    log.event(t.io_bus_victim, "bcache.victims");
    log.event(t.io_bus_dma, "bcache.dma");
    log.event(t.io_bus_coreBusy, "bus.core_ticks");
    log.event(t.io_bus_dmaBusy, "bus.dma_ticks");
    ifThere(t, [&](const auto &top) -> decltype(top.io_bus_dirtyMiss, void()) {
        log.event(top.io_bus_dirtyMiss, "dcache.dirty_misses");
        log.event(top.io_bus_coreWaits, "bus.core_waits_dma");
    });
}

void Node::tracePath(const Retirement &r) {
    if (markers_)
        if (const auto *found = markers_->at(r.pc))
            for (const auto &m : *found)
                trace->marker(m);
    trace->retired(r);
}

void Node::observeRetirement() {
    const VNode &t = *top_;
    if (t.io_retire_retired_valid) {
        ++instructions_;
        const bool counts = !ended_ || instructions_ <= ofRun_;
        lastRetirement_ = ticks_;
        lastPc_ = t.io_retire_retired_payload_pc;
        if (t.io_retire_retired_payload_io && t.io_retire_retired_payload_store &&
            (t.io_retire_retired_payload_address & physicalMask) == config_.exitAddress &&
            !exited_ && !ended_) {
            exited_ = true;
            exitCode_ = t.io_retire_retired_payload_storeData & 0xFF;
        }
        if (span && counts && t.io_retire_retired_payload_memory && !(lastPc_ & 1) &&
            instructions_ > beforeSpan_)
            span->access(instructions_ - 1 - beforeSpan_, t.io_retire_retired_payload_store,
                         t.io_retire_retired_payload_address);
        if (lockstep || oracle || trace || calls) {
            const Retirement r = {
                t.io_retire_retired_payload_pc,          t.io_retire_retired_payload_instruction,
                t.io_retire_retired_payload_writes != 0, t.io_retire_retired_payload_register,
                t.io_retire_retired_payload_value,       t.io_retire_retired_payload_memory != 0,
                t.io_retire_retired_payload_store != 0,  t.io_retire_retired_payload_io != 0,
                t.io_retire_retired_payload_address,     t.io_retire_retired_payload_storeData,
                t.io_retire_retired_payload_iMiss != 0,  t.io_retire_retired_payload_dMiss != 0};
            if (lockstep && counts)
                lockstep->retired(ticks_, r);
            if (guard) {
                guard->executed(r.pc, lockstep->cpu());
                if (r.memory)
                    guard->accesses(r.pc, lockstep->cpu(), r.store, r.address);
                guard->check(config_.number);
            }
            if (oracle)
                oracle->retired(r);
            if (trace && counts)
                tracePath(r);
            if (calls && counts)
                calls->retired(r);
        }
    }
    if (oracle && t.io_retire_trapped_valid)
        oracle->trapped(t.io_retire_trapped_payload_vector,
                        t.io_retire_trapped_payload_exceptionAddress,
                        t.io_retire_trapped_payload_iMiss);
    traps_ += t.io_retire_trapped_valid;
    if (lockstep && t.io_retire_trapped_valid && (!ended_ || traps_ <= trapsOfRun_))
        lockstep->trapped(ticks_, t.io_retire_trapped_payload_vector,
                          t.io_retire_trapped_payload_exceptionAddress,
                          t.io_retire_trapped_payload_iMiss);
}

} // namespace mcpi
