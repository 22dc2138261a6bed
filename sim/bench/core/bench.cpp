// SPDX-License-Identifier: BSD-2-Clause
#include "bench.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <verilated.h>

#include "VAlphaLite.h"
#include "VAlphaLite___024root.h"
#include "base/address.h"
#include "base/clockedge.h"
#include "base/error.h"
#include "base/initial.h"
#include "base/text.h"

namespace mcpi {
namespace {

constexpr unsigned kindWrite = 3; // rtl/bus/MemoryBus.scala
constexpr auto ownerIssue = static_cast<unsigned>(Owner::issue),
               ownerIdle = static_cast<unsigned>(Owner::idle);
constexpr uint64_t hang = 50000;     // ticks
constexpr uint64_t endless = 500000; // instructions too many
constexpr unsigned sleepTicks = 100, issueRing = 4096;
constexpr unsigned emptyClocks = 4;   // clocks without a tick, after a cold start
constexpr unsigned drainTicks = 4000; // until the last instructions have retired, after a halt

/// Bytes of a port, whatever Verilator made of it.
template <typename Port> void *bytesOf(Port &port) {
    if constexpr (std::is_integral_v<Port>)
        return &port;
    else
        return port.data();
}

/// A step of FNV-1a, 64 bits at once.
uint64_t mixed(uint64_t digest, uint64_t value) {
    return (digest ^ value) * 0x100000001b3;
}

/// The ports of a write-back D-cache, which another core has not.
template <typename Top>
auto displacesDirty(const Top &t, int) -> decltype(t.memory_cmd_payload_dirty, bool()) {
    return t.memory_cmd_payload_dirty;
}
template <typename Top> bool displacesDirty(const Top &, ...) {
    return false;
}
template <typename Top>
auto store(Surroundings &around, const Top &t, int) -> decltype(t.memory_store_valid, void()) {
    if (t.memory_store_valid)
        around.store(t.memory_store_payload_address, t.memory_store_payload_data,
                     t.memory_store_payload_long);
}
template <typename Top> void store(Surroundings &, const Top &, ...) {}

/// A tick stands for so many more; of a core that may skip some.
template <typename Top> auto skip(Top &t, uint64_t ticks, int) -> decltype(t.skip, void()) {
    t.skip = static_cast<uint16_t>(ticks);
}
template <typename Top> void skip(Top &, uint64_t, ...) {}

/// How many ticks may become one; of a core that may skip some.
template <typename Top> auto nextEvent(const Top &t, int) -> decltype(uint64_t{t.nextEvent}) {
    return t.nextEvent;
}
template <typename Top> uint64_t nextEvent(const Top &, ...) {
    return 0;
}

} // namespace

CoreBench::CoreBench(const Machine &machine, const Weather &weather, std::string reproduce)
    : around(machine, weather), coverage(machine), machine_(machine),
      lockstep_(machine, 0, std::move(reproduce)), context_(std::make_unique<VerilatedContext>()),
      coldEvery_(weather.coldEvery), ideal_(machine.parameter("memory.ideal") != 0),
      issued_(issueRing), seen_(machine.parameter("memory.size") / 4) {
    beginAs(*context_);
    top_ = std::make_unique<VAlphaLite>(context_.get(), "core");
    auto &t = *top_;
    t.takenPenalty = machine.parameter("core.taken_penalty");
    t.ev4 = machine.parameter("core.prediction");
    t.predictedPenalty = machine.parameter("core.predicted_penalty");
    t.mispredictPenalty = machine.parameter("core.mispredict_penalty");
    t.refillRestart = machine.parameter("icache.refill_restart");
    t.prefetch = machine.parameter("icache.prefetch");
    t.iCacheOn = machine.parameter("icache.enable");
    t.dCacheOn = machine.parameter("dcache.enable");
    t.writeBufferOn = machine.parameter("write_buffer.enable");
    t.ideal = ideal_;
    t.drainAt = machine.parameter("write_buffer.drain_at");
    t.idleTicks = machine.parameter("write_buffer.idle_ticks");
    t.coldPc_valid = 0;
    t.coldPc_payload = 0;
    skip(t, 0, 0);
}

CoreBench::~CoreBench() {
    top_->final();
}

void CoreBench::place(const Image &image) {
    checkPlacement(machine_, image);
    for (const auto &s : image.segments) {
        std::copy(s.bytes.begin(), s.bytes.end(), around.ram.data() + s.address);
        lockstep_.place(s);
    }
}

void CoreBench::reset() {
    auto &t = *top_;
    t.run = 0;
    t.tick = 0;
    t.reset = 1;
    for (int i = 0; i < 8; ++i) {
        t.clk = i & 1;
        if (i == 6)
            t.reset = 0;
        t.eval();
    }
    t.run = 1;
    settled_ = false;
    lockstep_.start();
}

void CoreBench::answer(const Surroundings::Drive &d) {
    auto &t = *top_;
    drive<uint8_t>(t.memory_rsp_valid, d.answer);
    drive<uint8_t>(t.memory_cmd_ready, d.ready);
    drive<uint8_t>(t.memory_rsp_payload_error, d.error);
    if (d.block) {
        std::memcpy(t.memory_rsp_payload_data.data(), d.block, sizeof t.memory_rsp_payload_data);
        settled_ = false;
    }
    drive<uint8_t>(t.io_rsp_valid, d.ioAnswer);
    drive<uint8_t>(t.io_rsp_payload_error, d.ioError);
    if (d.ioAnswer)
        t.io_rsp_payload_data = d.ioValue;
}

bool CoreBench::clock() {
    auto &t = *top_;
    // Answers of the buses stand before their tick, which may be withheld for them.
    drive<uint64_t>(t.memory_invalidate_payload, around.dmaBlock());
    answer(around.waiting());
    if (!settled_) {
        t.clk = 0;
        t.eval();
        settled_ = true;
    }
    const bool tick = !t.hold && !around.withhold() && !emptying_;
    const bool moves = tick || (ideal_ && t.idealActive);
    emptying_ -= emptying_ != 0;
    const auto &d = around.drive(tick, moves);
    if (d.block)
        coverage.filled(ticks(), around.answered(), around.answeredAddress());
    if (d.invalidate)
        coverage.invalidated(ticks(), d.invalidated);
    drive<uint8_t>(t.tick, tick);
    drive<uint8_t>(t.interrupts, around.lines());
    drive<uint8_t>(t.memory_invalidate_valid, d.invalidate);
    if (d.invalidate)
        t.memory_invalidate_payload = d.invalidated;
    drive<uint8_t>(t.io_cmd_ready, d.ioReady);
    if (!settled_ || !forgetClock(t.rootp, 0)) {
        t.clk = 0;
        t.eval();
    }
    if (moves && t.memory_cmd_valid && d.ready) {
        if (t.memory_cmd_payload_kind == kindWrite)
            around.write(t.memory_cmd_payload_address, bytesOf(t.memory_cmd_payload_data),
                         bytesOf(t.memory_cmd_payload_mask));
        else
            check(around.read(t.memory_cmd_payload_address, t.memory_cmd_payload_kind,
                              displacesDirty(t, 0)));
    }
    if (tick)
        store(around, t, 0);
    if (tick && t.io_cmd_valid && d.ioReady)
        around.io(t.io_cmd_payload_address, t.io_cmd_payload_write, t.io_cmd_payload_quad,
                  t.io_cmd_payload_data);
    const uint64_t now = ticks();
    const Coverage::Bus bus = around.onBus();
    const uint64_t equalTicks = tick && skips ? skipped() : 1;
    if (moves && ports)
        digestPorts();
    for (uint64_t i = 0; i < equalTicks; ++i) {
        if (tick && i == 0)
            observe();
        around.pass(tick, moves);
    }
    const bool coldStart = t.events_coldStart;
    const uint64_t pc = t.events_issuePc;
    t.clk = 1;
    t.eval();
    skip(t, 0, 0);
    for (uint64_t i = 0; tick && i < equalTicks; ++i) // it tells of a tick in the clock after it
        account(now + i, bus);
    if (tick && ports && t.events_owner == ownerIssue)
        portDigest = mixed(portDigest, pc);
    settled_ = equalTicks == 1;
    if (tick && coldEvery_)
        aim(coldStart);
    ++clocks;
    if (watch)
        watch(tick);
    if (context_->gotFinish())
        throw RunError("an assertion of the RTL failed before tick " + std::to_string(ticks()) +
                       "; it is printed above.");
    return tick;
}

/// For how many ticks this one stands, from now on.
uint64_t CoreBench::skipped() {
    auto &t = *top_;
    const uint64_t asleep = std::max<uint64_t>(sleepTicks + 1, asleep_ + 1) - asleep_;
    const uint64_t ticks = std::min({nextEvent(t, 0), around.quiet(), asleep});
    if (ideal_ || ticks < 2)
        return 1;
    skip(t, ticks - 1, 0);
    t.eval();
    return ticks;
}

/// A cold start comes before the next instruction at the place of the one that has just retired.
void CoreBench::aim(bool started) {
    if (started) {
        drive<uint8_t>(top_->coldPc_valid, 0);
        emptying_ = emptyClocks;
    }
    if (started || lockstep_.instructions < aimAt_)
        return;
    aimAt_ = lockstep_.instructions + coldEvery_;
    drive<uint8_t>(top_->coldPc_valid, 1);
    drive<uint64_t>(top_->coldPc_payload, lastPc_ & physicalMask);
}

/// Mix the core's ports other than its events into the digest, in a clock in which the buses move.
void CoreBench::digestPorts() {
    const auto &t = *top_;
    const auto mix = [this](uint64_t value) { portDigest = mixed(portDigest, value); };
    mix(ticks() << 16 | nextEvent(t, 0));
    if (t.memory_cmd_valid && t.memory_cmd_ready) {
        mix(uint64_t{t.memory_cmd_payload_kind} << 34 | t.memory_cmd_payload_address);
        if (t.memory_cmd_payload_kind == kindWrite)
            for (unsigned i = 0; i < sizeof t.memory_cmd_payload_mask; ++i)
                mix(static_cast<const uint8_t *>(bytesOf(t.memory_cmd_payload_mask))[i]);
    }
    if (t.io_cmd_valid && t.io_cmd_ready)
        mix(t.io_cmd_payload_address << 2 | t.io_cmd_payload_write << 1 | t.io_cmd_payload_quad);
    if (t.retire_retired_valid)
        mix(t.retire_retired_payload_iMiss << 1 | t.retire_retired_payload_dMiss);
    mix(t.events_coldStart);
}

/// Count the owner of tick `now` and the core's other events; `bus`: the bus's work in it.
void CoreBench::account(uint64_t now, Coverage::Bus bus) {
    const auto &t = *top_;
    const unsigned owner = t.events_owner;
    uint64_t packed = owner;
    for (const bool event :
         {t.events_palMode != 0, t.events_iAccess != 0, t.events_iMiss != 0,
          t.events_iStreamHit != 0, t.events_dAccess != 0, t.events_dMiss != 0,
          t.events_writeAccess != 0, t.events_writeMerge != 0, t.events_takenBranch != 0,
          t.events_mispredict != 0, t.events_trapped != 0})
        packed = packed << 1 | event;
    eventDigest = mixed(eventDigest, packed);
    if (t.events_iMiss)
        eventDigest = mixed(eventDigest, t.events_iMissAddress);
    if (t.events_dMiss)
        eventDigest = mixed(eventDigest, t.events_dMissAddress);
    ++owned[owner % owners];
    coverage.ticked(now, {static_cast<uint8_t>(owner), bus, t.events_iMiss != 0,
                          t.events_iStreamHit != 0, t.events_trapped != 0});
    if (owner == ownerIssue)
        issued_[issueCount_++ % issueRing] = now;
    asleep_ = owner == ownerIdle ? asleep_ + 1 : 0;
    if (asleep_ > sleepTicks && !top_->halted)
        around.raiseAll();
}

void CoreBench::observe() {
    const auto &t = *top_;
    if (t.retire_retired_valid)
        retire();
    if (t.retire_trapped_valid) {
        ++traps;
        const uint16_t vector = t.retire_trapped_payload_vector;
        for (unsigned i = 0; i < vectors.size(); ++i)
            if (vectors[i] == vector) {
                ++trapped[i];
                coverage.trapped(i);
            }
        const uint64_t pc = t.retire_trapped_payload_exceptionAddress;
        if (lockstep_.beyondMemory(pc)) // before the model enters the trap
            coverage.fetchFailed(pc, lockstep_.overflowDue(),
                                 !(pc & 1) &&
                                     around.lines() & lockstep_.cpu().internal.interruptEnable);
        lockstep_.trapped(ticks(), vector, t.retire_trapped_payload_exceptionAddress);
    }
    if (ticks() - lastRetirement_ > hang && !t.halted)
        lockstep_.mismatch(ticks(), "hang: nothing has retired for 50000 ticks");
}

void CoreBench::retire() {
    const auto &t = *top_;
    const Retirement r = {
        t.retire_retired_payload_pc,          t.retire_retired_payload_instruction,
        t.retire_retired_payload_writes != 0, t.retire_retired_payload_register,
        t.retire_retired_payload_value,       t.retire_retired_payload_memory != 0,
        t.retire_retired_payload_store != 0,  t.retire_retired_payload_io != 0,
        t.retire_retired_payload_address,     t.retire_retired_payload_storeData,
        t.retire_retired_payload_iMiss != 0,  t.retire_retired_payload_dMiss != 0};
    lastRetirement_ = ticks();
    lastPc_ = r.pc;
    if (lockstep_.instructions == issueCount_)
        lockstep_.mismatch(ticks(), "more instructions retire than ticks are owned by issue");
    const uint64_t issued = issued_[lockstep_.instructions % issueRing];
    ++opcodes[r.instruction >> 26];
    if (!(r.pc & 1))
        around.nativeRetired();
    const uint64_t place = (r.pc & 0x3FFFFFF) / 4;
    if (!seen_[place]) {
        seen_[place] = true;
        words.insert(r.instruction);
    }
    std::string error;
    if (around.lostLock(r, issued, error))
        lockstep_.loseLock();
    coverage.retired(r, issued);
    lockstep_.retired(ticks(), r);
    check(error);
    check(around.judgeWindowLoad(r, issued));
    check(around.judgeIo(r));
}

void CoreBench::run(uint64_t instructions) {
    reset();
    while (!top_->halted) {
        clock();
        around.go = lockstep_.instructions < instructions;
        if (lockstep_.instructions > 2 * instructions + endless)
            lockstep_.mismatch(ticks(), "the program does not end, or asks no more");
    }
    const uint64_t end = ticks() + drainTicks;
    while (ticks() < end && lockstep_.instructions < issueCount_)
        clock();
    if (lockstep_.instructions != issueCount_)
        lockstep_.mismatch(ticks(), "fewer instructions retired than ticks are owned by issue");
    check(around.judgeIoAtEnd());
    compareMemory();
}

/// DMA's window is known to the RTL's side alone.
void CoreBench::compareMemory() {
    const uint8_t *model = lockstep_.memory();
    for (uint64_t a = 0; a < around.ram.size(); a += 4096) {
        if (a >= around.windowBase() && a < around.windowEnd())
            continue;
        if (!std::memcmp(&around.ram[a], model + a, 4096))
            continue;
        uint64_t b = a;
        while (around.ram[b] == model[b])
            ++b;
        lockstep_.mismatch(ticks(),
                           text("memory at the end: byte %" PRIx64 " is %02x, in the model %02x",
                                uint64_t{b}, around.ram[b], model[b]));
    }
}

} // namespace mcpi
