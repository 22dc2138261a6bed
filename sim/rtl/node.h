// SPDX-License-Identifier: BSD-2-Clause
// A Verilated node: clocks, its backing memory, its ends of wire and host link, its retire port.
#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/core_trace.h"
#include "base/error.h"
#include "base/markers.h"
#include "check/lockstep.h"
#include "check/oracle.h"
#include "check/program/program_guard.h"
#include "host/hostlink.h"
#include "link/port.h"
#include "log/calllog.h"
#include "log/pathtrace.h"
#include "log/spanlog.h"
#include "log/spells.h"
#include "log/ticklog.h"
#include "sdram_model.h"

class VNode;
class VerilatedContext;

namespace mcpi {

class Waves;
struct WaveOptions;

struct NodeConfig {
    unsigned number = 0;
    uint64_t ramBytes = 64 << 20;     ///< that are addressed
    uint64_t backingBytes = 64 << 20; ///< that are there
    unsigned pageBytes = 8192;        ///< of what is there
    BackingLatency latency;
    unsigned withholdPercent = 0; ///< clocks without a tick, for no reason of the node's
    uint64_t exitAddress = 0;     ///< physical, of the exit register
    NodeInfo info;                ///< with the layout of the trace
};

/// No tick although the node was let run: it is held, or somebody holds virtual time.
struct Stalled : RunError {
    using RunError::RunError;
};

/// Virtual time of a node stands still unless `advance` runs it.
class Node : public ByteLink {
  public:
    explicit Node(const NodeConfig &config);
    ~Node() override;

    /// Run until `ticks()` is `until`, before which nothing can arrive that has not been sent yet.
    /// Stalled when the node makes no tick within `patience` clocks.
    void advance(uint64_t until, Port &mii);
    uint64_t patience = 1000000; ///< more than any backing memory takes

    /// Return true if the next clock would be a tick, if it were let.
    bool ready();
    /// Ticks are counted from here on; the node has been held since its last one.
    void restart();
    /// Answers host registers of the board, if set: number, and value of a write or null.
    std::function<uint64_t(unsigned number, const uint64_t *written)> board;

    /// Ticks from now on in which the node only counts time and hears nothing; 0 without skipping.
    uint64_t quietTicks(const Port &mii) const { return quietUntil(mii.next(ticks_)); }
    uint64_t ticks() const { return ticks_; }
    /// Clocks simulated: a skip takes one.
    uint64_t clocks() const { return clocks_; }
    uint64_t instructions() const { return instructions_; } ///< that have retired
    uint64_t issued() const { return issued_; }             ///< instructions
    /// Ticks of the run by owner, as the trace tells them.
    const std::vector<uint64_t> &ownerTicks() const { return ownerTicks_; }
    uint64_t lastRetirement() const { return lastRetirement_; }
    uint64_t lastPc() const { return lastPc_; }
    bool exited() const { return exited_; }
    unsigned exitCode() const { return exitCode_; }
    /// Note the exit of a node that does not show its retirements, as the host link says.
    void hasExited(unsigned code) {
        exited_ = true;
        exitCode_ = code;
    }

    /// Called for every marker passed, with the tick in which its instruction issued.
    std::function<void(uint64_t tick, const Marker &)> onMarker;
    std::function<void()> onColdStart; ///< in its tick
    void watch(const std::vector<Marker> &markers);
    /// The run is over, though time may go on so that what has issued retires: no marker counts any
    /// more, no tick is logged, and of the retirements those alone whose instruction has issued.
    void end();
    /// UserError if the model has no waveforms.
    void wave(const WaveOptions &options);
    /// The file is complete.
    void endWaves();
    Lockstep *lockstep = nullptr;
    Oracle *oracle = nullptr;
    TickLog *log = nullptr;
    SpanLog *span = nullptr;
    SpellLog *spells = nullptr;
    PathTrace *trace = nullptr;
    CallLog *calls = nullptr;
    ProgramGuard *guard = nullptr; ///< only with a lockstep
    bool skipping = true;          ///< quiet ticks pass in one step
    SdramModel backing;

    // ByteLink: while virtual time stands still.
    void send(uint8_t byte) override { toNode_.push_back(byte); }
    bool receive(uint8_t &byte) override;
    void idleClock();
    void idle() override { idleClock(); }

  private:
    template <typename T> void drive(T &port, T value);
    template <typename T> void driveRegisters(T &port, T value);
    uint64_t quietUntil(uint64_t due) const;
    void drivePins(const Pins &pins);
    bool clock();
    void serveBoard();
    void observePins();
    void observeTick();
    void withhold();
    void observeLance();
    void observeRetirement();
    void tracePath(const Retirement &r);
    /// Fields of the trace; a node without one, as gates are, has zeros.
    struct Fields {
        NodeInfo::Bits owner, issuePc, trapped, coldStart, fetchRefill, dataRefill, dMiss;
        NodeInfo::Bits dirtyMiss, coreWaits, dma, dmaWrites, dmaAddress;
        NodeInfo::Bits demand, begins, ends, single, write, moves, interrupt; ///< of the LANCE
        NodeInfo::Bits retires, pc, instruction, writes, reg, value, memory, store, io, address,
            storeData, missedI, missedD, traps, vector, exceptionAddress, trapMissedI;
    };
    static Fields fields(const NodeInfo &info);
    uint64_t of(NodeInfo::Bits bits) const { return bits.width ? traced(trace_, bits) : 0; }
    /// The same of the tick itself, for what is told in it.
    uint64_t inTick(NodeInfo::Bits bits) const {
        return bits.width ? traced(ofTick_.data(), bits) : 0;
    }
    template <typename Log> void logTick(Log &log);
    template <typename Log> void logEvents(Log &log, const std::vector<TracedEvent> &events);

    NodeConfig config_;
    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<VNode> top_;
    const uint32_t *trace_ = nullptr; ///< of `top_`
    std::vector<uint32_t> ofTick_;    ///< the trace as it was in the last tick
    Fields f_;
    std::vector<TracedEvent> ofCore_, ofMemory_; ///< the latter a clock after their tick
    std::minstd_rand withheld_;                  ///< which clocks get no tick
    std::unique_ptr<MarkerTable> markers_;
    LanceStep ownership_ = LanceStep::at(LanceStep::readWord, 0); ///< the last one, so far
    std::unique_ptr<Waves> waves_;
    Port *mii_ = nullptr;
    std::deque<uint8_t> toNode_, fromNode_;
    uint64_t ticks_ = 0, clocks_ = 0, issued_ = 0;
    std::vector<uint64_t> ownerTicks_;
    bool refills_ = false;    ///< the last tick was one of a refill of a TLB
    uint64_t beforeSpan_ = 0; ///< instructions that had issued before the span
    uint64_t instructions_ = 0, lastRetirement_ = 0, lastPc_ = 0; ///< of the retired
    bool settled_ = false; ///< no input that `drive` drives has changed since the last evaluation
    bool changed_ = true;  ///< one that `driveRegisters` drives has
    bool exited_ = false;
    unsigned exitCode_ = 0;
    uint64_t trapped_ = 0, traps_ = 0;    ///< traps taken; those on the retire port
    bool ended_ = false;                  ///< the run is over
    uint64_t ofRun_ = 0, trapsOfRun_ = 0; ///< then: the instructions and traps of the run
};

} // namespace mcpi
