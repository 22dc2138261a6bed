// SPDX-License-Identifier: BSD-2-Clause
// A node of a run, and all that looks at it: counters, markers, logs of ticks and instructions.
#pragma once
#include <memory>
#include <optional>

#include "base/markers.h"
#include "base/program.h"
#include "check/program_guard.h"
#include "check/replay.h"
#include "exact/node/counters.h"
#include "exact/node/node.h"
#include "log/calllog.h"
#include "log/evictions.h"
#include "log/pathtrace.h"
#include "log/spanlog.h"
#include "log/ticklog.h"
#include "testbed/measurement.h"

namespace mcpi::exact {

class WatchedNode : public CounterHost {
  public:
    WatchedNode(const Machine &machine, const Options &options, unsigned number);
    /// Copy the other's state: both go on, each by itself; span and calls are the other's.
    WatchedNode(const WatchedNode &other);
    WatchedNode(WatchedNode &&) = default;

    /// Lives up to `until`. `sink` is told `marker(tick, marker)` and `coldStart()` as they come.
    template <typename Sink>
    void advance(uint64_t until, Port &port, bool skips, const Sink &sink) {
        node_->wake();
        while (node_->now() < until)
            observe(node_->live(port, skips ? until : node_->now() + 1), sink);
    }
    uint64_t quietTicks(const Port &port) const { return node_->quietTicks(port); }
    /// RunError if it has not ended and nothing has issued for `patience` ticks.
    void checkHang(uint64_t now, uint64_t patience) const;
    const SystemRegisters &system() const { return node_->system(); }
    /// Its guest has exited: the store has retired before this tick.
    bool ended(uint64_t now) const { return node_->core().exit().retires < now; }
    unsigned exitCode() const { return node_->core().exit().code; }
    uint8_t byteAt(uint64_t address) const { return node_->byteAt(address); }
    const Program &program() const { return program_; }
    uint64_t instructions() const { return instructions_; }
    /// ticks.csv, trace.csv, the replay's files and the console, as far as they were asked for; how
    /// it stood, if it failed.
    void write(const std::string &folder);

    void control(uint64_t what) override;
    void startCold(uint64_t address, unsigned parts) override;
    Counters copy() override { return counters_.copy(); }
    Counters now() override { return counters_.now(); }
    void leavesCold() override;

  private:
    template <typename Sink> void observe(const Lived &lived, const Sink &sink) {
        if (lived.owner == Owner::issue) {
            ++instructions_;
            issued_ = lived.tick;
            pc_ = lived.pc;
            if (const auto *found = markers_.at(lived.pc))
                for (const auto &marker : *found) {
                    passes(marker);
                    sink.marker(lived.tick, marker);
                }
        }
        const bool forgets = counters_.tick(lived);
        if (guard_ && lived.owner == Owner::issue)
            guards(lived);
        if (span_ && span_->wants(lived.tick, lived.count))
            logSpan(lived);
        if (watches_)
            watch(lived);
        if (forgets) {
            coldStart();
            sink.coldStart();
        }
    }
    void passes(const Marker &marker);
    template <typename Log> void log(Log &log, const Lived &lived);
    void logSpan(const Lived &lived);
    void logFill(const Lived &lived);
    void watch(const Lived &lived);
    void guards(const Lived &lived);
    void coldStart();

    unsigned number_;
    Program program_;
    std::unique_ptr<Node> node_;
    CounterBanks counters_;
    MarkerTable markers_;
    std::optional<TickLog> log_;
    std::optional<SpanLog> span_;
    std::optional<PathTrace> trace_;
    std::optional<CallLog> calls_;
    std::optional<Replay> replay_;
    std::optional<Evictions> evictions_;
    std::optional<ProgramGuard> guard_;
    bool watches_ = false;                            ///< there is one of log, trace, calls, replay
    bool back_ = false;                               ///< the D-cache's policy
    bool endsByHost_ = false;                         ///< the cold invocation
    uint64_t instructions_ = 0, issued_ = 0, pc_ = 0; ///< of the last: its tick, where it is
};

} // namespace mcpi::exact
