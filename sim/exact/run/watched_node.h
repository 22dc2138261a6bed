// SPDX-License-Identifier: BSD-2-Clause
// A node of a run, and all that looks at it: counters, markers, logs of ticks and instructions.
#pragma once
#include <memory>
#include <optional>

#include "base/markers.h"
#include "base/program.h"
#include "check/program/program_guard.h"
#include "check/program/unwritten.h"
#include "check/replay.h"
#include "exact/node/counters.h"
#include "exact/node/node.h"
#include "exact/node/probe.h"
#include "log/calllog.h"
#include "log/evictions.h"
#include "log/pathtrace.h"
#include "log/spanlog.h"
#include "log/spells.h"
#include "log/ticklog.h"
#include "miss_recorder.h"
#include "testbed/station.h"
#include "vanishing.h"

namespace mcpi::exact {

class WatchedNode : public Station {
  public:
    /// `given`: the node's own options.
    WatchedNode(const Machine &machine, const Options &options, const NodeOptions &given,
                unsigned number);
    /// A node of two.
    WatchedNode(const Machine &machine, const Options &options, unsigned number)
        : WatchedNode(machine, options, options.nodes[number], number) {}
    /// Copy the other's state: both go on, each by itself; span, calls and misses are the other's.
    WatchedNode(const WatchedNode &other);
    WatchedNode(WatchedNode &&) = default;

    uint64_t quietTicks(const Port &port) const override {
        return skips_ ? node_->quietTicks(port) : 0;
    }
    void advance(uint64_t until, Port &port) override;
    void checkHang(uint64_t now, uint64_t patience) override;
    /// The guest has exited when the store has retired before this tick.
    int exitCode(uint64_t now) const override {
        const auto &exit = node_->core().exit();
        return exit.retires < node_->ofCore(now) ? static_cast<int>(exit.code) : -1;
    }
    /// In which tick of the world the guest has exited.
    uint64_t ended() const { return node_->world(node_->core().exit().retires); }
    /// From now on ticks of its path can take no time; these are its functions.
    void watchVanishing(std::shared_ptr<const FunctionMap> functions) {
        vanishing_.emplace(std::move(functions));
    }
    /// Null: none of its ticks vanish.
    Vanishing *vanishing() { return vanishing_ ? &*vanishing_ : nullptr; }
    uint64_t issued() const override { return instructions_; }
    uint8_t byteAt(uint64_t address) override { return node_->byteAt(address); }
    const std::string &console() override { return node_->system().console; }
    const Program &program() const override { return program_; }
    void write(const std::string &folder) override;

    void control(uint64_t what) override;
    void startCold(uint64_t address, unsigned parts) override;
    Counters copy() override { return counters_.copy(); }
    Counters now() override { return counters_.now(); }
    void dropCold() override;

    Node &node() { return *node_; }
    const Node &node() const { return *node_; }
    /// From now on the node only steps, and this looks at each step; null: nothing looks.
    void probe(Probe *probe);
    /// The probe has stopped it in the last `advance`.
    bool stopped() const { return stopped_; }

  private:
    void observe(const TickRun &run, const Runs::Row *glided = nullptr);
    void glide(uint64_t until);
    void logMarker(const Marker &marker);
    template <typename Log> void log(Log &log, const TickRun &run);
    void logSpan(const TickRun &run);
    void logFill(const TickRun &run);
    void logFill(const Runs::Row &run);
    void watch(const TickRun &run, const Runs::Row *glided);
    void guards(const TickRun &run);
    void follows(const TickRun &run);
    void coldStart();
    /// Each tick stands alone, because it may take no time.
    bool vanishes() const { return vanishing_ && vanishing_->watches() && counters_.onPath(); }

    unsigned number_;
    Probe *probe_ = nullptr; ///< a copy has none
    bool stopped_ = false;
    bool skips_; ///< quiet ticks pass in one step
    Program program_;
    std::unique_ptr<Node> node_;
    CounterBanks counters_;
    MarkerTable markers_;
    Runs runs_;   ///< of a glide, if each tick matters
    Tally tally_; ///< or else
    std::optional<TickLog> log_;
    std::optional<SpanLog> span_;
    std::optional<SpellLog> spells_;
    std::optional<PathTrace> trace_;
    std::optional<CallLog> calls_;
    std::optional<Replay> replay_;
    std::optional<Evictions> evictions_;
    std::unique_ptr<MissRecorder> misses_;
    std::optional<ProgramGuard> guard_;
    std::unique_ptr<Unwritten> unwritten_; ///< a copy has none
    std::optional<Vanishing> vanishing_;
    bool watches_ = false;                            ///< there is one of log, trace, calls, replay
    bool back_ = false;                               ///< the D-cache's policy
    bool endsByHost_ = false;                         ///< the cold invocation
    uint64_t instructions_ = 0, issued_ = 0, pc_ = 0; ///< of the last: its tick, where it is
    uint64_t accessed_ = 0;                           ///< physical, by the last access
};

} // namespace mcpi::exact
