// SPDX-License-Identifier: BSD-2-Clause
#include "node.h"

#include <algorithm>
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

/// The machine's cache block is the width of this port.
constexpr unsigned blockBytes = sizeof(std::declval<VNode>().io_backing_rsp_payload);

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
      config_(config), context_(std::make_unique<VerilatedContext>()), f_(fields(config.info)),
      ofCore_(tracedEvents(config.info, true)), ofMemory_(tracedEvents(config.info, false)),
      withheld_(config.latency.seed),
      ownerTicks_(std::max<std::size_t>(1, config.info.owners.size())) {
    context_->threads(1); // a thread that waits would be missing from a copy of the process
    beginAs(*context_);
    context_->traceEverOn(VM_TRACE);
    top_ = std::make_unique<VNode>(context_.get(), "node");
    trace_ = top_->io_trace.data();
    ofTick_.resize(sizeof top_->io_trace / sizeof ofTick_[0]);
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

Node::Fields Node::fields(const NodeInfo &info) {
    const auto at = [&info](const std::string &name) {
        const auto found = info.trace.find(name);
        return found == info.trace.end() ? NodeInfo::Bits{0, 0} : found->second;
    };
    const std::string retired = "retire.retired.payload.", trap = "retire.trapped.payload.";
    return {at("events.owner"),
            at("events.issuePc"),
            at("events.trapped"),
            at("events.coldStart"),
            at("events.translation.fetchRefill"),
            at("events.translation.dataRefill"),
            at("events.dMiss"),
            at("memory.dirtyMiss"),
            at("memory.coreWaits"),
            at("memory.dma"),
            at("memory.write"),
            at("memory.address"),
            at("lance.demand"),
            at("lance.begins"),
            at("lance.ends"),
            at("lance.single"),
            at("lance.write"),
            at("lance.moves"),
            at("lance.interrupt"),
            at("retire.retired.valid"),
            at(retired + "pc"),
            at(retired + "instruction"),
            at(retired + "writes"),
            at(retired + "register"),
            at(retired + "value"),
            at(retired + "memory"),
            at(retired + "store"),
            at(retired + "io"),
            at(retired + "address"),
            at(retired + "storeData"),
            at(retired + "iMiss"),
            at(retired + "dMiss"),
            at("retire.trapped.valid"),
            at(trap + "vector"),
            at(trap + "exceptionAddress"),
            at(trap + "iMiss")};
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
void Node::drivePins(const Pins &pins) {
    drive<uint8_t>(top_->io_mii_crs, pins.carrier);
    drive<uint8_t>(top_->io_mii_col, pins.collision);
    driveRegisters<uint8_t>(top_->io_mii_rxStrobe, pins.strobe);
    if (!pins.strobe)
        return;
    driveRegisters<uint8_t>(top_->io_mii_rxDv, pins.nibble.valid);
    driveRegisters<uint8_t>(top_->io_mii_rxEr, pins.nibble.error);
    driveRegisters<uint8_t>(top_->io_mii_rxd, pins.nibble.data);
}

/// Clocks at random, in which virtual time stands still.
void Node::withhold() {
    while (config_.withholdPercent && withheld_() % 100 < config_.withholdPercent)
        idleClock();
    drive<uint8_t>(top_->io_pause, 0);
}

void Node::advance(uint64_t until, Port &mii) {
    mii_ = &mii;
    uint64_t limit = clocks_ + patience;
    while (ticks_ < until) {
        withhold();
        const uint64_t due = mii.next(ticks_), quiet = quietUntil(due);
        if (due == ticks_)
            drivePins(mii.at(ticks_));
        else
            driveRegisters<uint8_t>(top_->io_mii_rxStrobe, 0);
        const uint64_t ticks = std::max<uint64_t>(1, std::min(quiet, until - ticks_));
        driveRegisters<uint16_t>(top_->io_skip, static_cast<uint16_t>(ticks - 1));
        for (; !clock(); withhold())
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
    ownerTicks_.assign(ownerTicks_.size(), 0);
    ticks_ = issued_ = lastRetirement_ = lastPc_ = instructions_ = 0;
    exited_ = false;
    exitCode_ = 0;
    drivePins({});
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
    if (!skipping || !backing.idle() || !toNode_.empty()) // these two act in clocks
        return 0;
    return std::min<uint64_t>(top_->io_nextEvent, due - ticks_);
}

/// Step one clock; return true if it was a tick.
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
    const bool sampled = waves_ && waves_->wants(ticks_);
    if (sampled || !settled_ || !forgetClock(t.rootp, 0)) {
        t.clk = 0;
        t.eval();
        changed_ = false;
    }

    const bool tick = t.io_tick;
    if (sampled && tick)
        waves_->sample(ticks_);
    if ((oracle || lockstep) && of(f_.dma)) { // the tick before
        const uint64_t address = of(f_.dmaAddress);
        const bool writes = of(f_.dmaWrites);
        if (oracle)
            oracle->dma(ticks_ - 1, address, writes);
        if (lockstep && writes)
            lockstep->dmaWrites(address);
    }
    if (log)
        logEvents(*log, ofMemory_);
    if (log && refills_) {
        log->part(of(f_.dirtyMiss), "refill.dcache.dirty_misses");
        log->part(of(f_.coreWaits), "refill.bus.core_waits_dma");
    }
    if (span && !ended_)
        logEvents(*span, ofMemory_);
    if (tick)
        observePins();
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
    if (tick)
        observeTick();
    return tick;
}

/// Take in pins and trace, which stand in the tick; the trace's events of the core come later.
void Node::observePins() {
    const VNode &t = *top_;
    if (t.io_mii_txStrobe)
        mii_->send(ticks_, t.io_mii_txd, t.io_mii_txEn, t.io_mii_txEr);
    std::copy_n(trace_, ofTick_.size(), ofTick_.data());
}

/// The core tells the tick's events in the clock after it, until the next tick.
void Node::observeTick() {
    const VNode &t = *top_;
    const auto owner = static_cast<unsigned>(of(f_.owner));
    const bool issues = owner == static_cast<unsigned>(Owner::issue);
    const uint64_t pc = inTick(f_.issuePc);
    const bool traps = of(f_.trapped), cold = inTick(f_.coldStart);
    issued_ += issues;
    if (!ended_)
        ownerTicks_[owner] += 1 + uint64_t{t.io_skip};
    trapped_ += traps;
    if (markers_ && issues && !ended_)
        if (const auto *found = markers_->at(pc))
            for (const auto &m : *found) {
                onMarker(ticks_, m);
                if (log)
                    log->marker(m);
                if (spells)
                    spells->marker(ticks_, m);
            }
    if (calls && issues && !ended_)
        calls->issues(ticks_, pc);
    if (oracle)
        oracle->tick({ticks_, owner, pc, traps, cold, 1 + uint64_t{t.io_skip}});
    if (cold && onColdStart && !ended_)
        onColdStart();
    refills_ = of(f_.fetchRefill) || of(f_.dataRefill);
    if (log)
        logTick(*log);
    if (log && refills_ && f_.dirtyMiss.width) // parts of a write-back D-cache's counters
        log->part(of(f_.dMiss), "refill.dcache.misses");
    if (spells && !ended_) {
        spells->tick(owner, 1 + uint64_t{t.io_skip});
        observeLance();
    }
    if (span && !ended_)
        logTick(*span);
    if (span && !span->issues()) // what issues next is the span's first
        beforeSpan_ = issued_;
    if (inTick(f_.retires) || inTick(f_.traps))
        observeRetirement();
}

void Node::observeLance() {
    if (inTick(f_.demand))
        spells->step(LanceStep::at(LanceStep::demand, ticks_));
    if (inTick(f_.interrupt))
        spells->step(LanceStep::at(LanceStep::interrupt, ticks_));
    if (inTick(f_.moves)) {
        if (!ownership_.moves)
            ownership_.moves = ticks_;
        ownership_.moved = ticks_ + 1;
    }
    if (inTick(f_.ends)) {
        ownership_.kind = LanceStep::ownership(!inTick(f_.single), inTick(f_.write));
        ownership_.until = ticks_ + 2; // with the tick in which the bus master looks again
        spells->step(ownership_);
    }
    if (inTick(f_.begins))
        ownership_ = LanceStep::at(LanceStep::readWord, ticks_ + 1); // with its request
}

template <typename Log> void Node::logTick(Log &log) {
    log.tick(ticks_, static_cast<unsigned>(of(f_.owner)), inTick(f_.issuePc),
             1 + uint64_t{top_->io_skip});
    logEvents(log, ofCore_);
}

template <typename Log> void Node::logEvents(Log &log, const std::vector<TracedEvent> &events) {
    for (const TracedEvent &one : events)
        log.event(one.counts(trace_), one.event);
}

void Node::tracePath(const Retirement &r) {
    if (markers_)
        if (const auto *found = markers_->at(r.pc))
            for (const auto &m : *found)
                trace->marker(m);
    trace->retired(r);
}

void Node::observeRetirement() {
    if (inTick(f_.retires)) {
        ++instructions_;
        const bool counts = !ended_ || instructions_ <= ofRun_;
        lastRetirement_ = ticks_;
        lastPc_ = inTick(f_.pc);
        const bool memory = inTick(f_.memory), store = inTick(f_.store), io = inTick(f_.io);
        const uint64_t address = inTick(f_.address);
        if (io && store && (address & physicalMask) == config_.exitAddress && !exited_ && !ended_) {
            exited_ = true;
            exitCode_ = inTick(f_.storeData) & 0xFF;
        }
        if (span && counts && memory && !(lastPc_ & 1) && instructions_ > beforeSpan_)
            span->access(instructions_ - 1 - beforeSpan_, store, address);
        if (lockstep || oracle || trace || calls) {
            const Retirement r = {lastPc_,
                                  static_cast<uint32_t>(inTick(f_.instruction)),
                                  inTick(f_.writes) != 0,
                                  static_cast<uint8_t>(inTick(f_.reg)),
                                  inTick(f_.value),
                                  memory,
                                  store,
                                  io,
                                  address,
                                  inTick(f_.storeData),
                                  inTick(f_.missedI) != 0,
                                  inTick(f_.missedD) != 0};
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
    if (!inTick(f_.traps))
        return;
    ++traps_;
    const auto vector = static_cast<uint16_t>(inTick(f_.vector));
    const uint64_t pc = inTick(f_.exceptionAddress);
    const bool missed = inTick(f_.trapMissedI);
    if (oracle)
        oracle->trapped(vector, pc, missed);
    if (lockstep && (!ended_ || traps_ <= trapsOfRun_))
        lockstep->trapped(ticks_, vector, pc, missed);
}

} // namespace mcpi
