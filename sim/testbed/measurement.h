// SPDX-License-Identifier: BSD-2-Clause
// When the counters of both nodes are cleared, armed, frozen, copied: as node 0's markers say, or
// its host registers. With a cold run: where it begins, and where it parts from the usual one.
#pragma once
#include <algorithm>
#include <array>

#include "base/counters.h"
#include "log/pathparts.h"
#include "options.h"

namespace mcpi {

/// A node's counters, for who decides when they change: behind a host link, or of a program.
class CounterHost {
  public:
    virtual ~CounterHost() = default;
    /// Between two ticks: bits of CounterControl.
    virtual void control(uint64_t what) = 0;
    /// Before `address` issues next, every cache is emptied and everything cleared; where window 1
    /// closes first, the counters are copied. `parts`: of an invocation; if several, a later
    /// closing is its end.
    virtual void startCold(uint64_t address, unsigned parts) = 0;
    /// The copy made last. RunError if there is none.
    virtual Counters copy() = 0;
    /// The counters between two ticks. The copy made last is lost.
    virtual Counters now() = 0;
    /// Another process goes on with the cold invocation; here nothing is kept for it.
    virtual void dropCold() = 0;
};

class Measurement {
  public:
    /// `options.out` and `options.cold` change when a cold run forks off.
    Measurement(Options &options, const NodeInfo &info) : options_(&options), info_(&info) {}
    /// Copy the other's state; its nodes are to be attached.
    Measurement(const Measurement &other, Options &options, const NodeInfo &info)
        : Measurement(other) {
        options_ = &options;
        info_ = &info;
    }

    void attach(unsigned number, CounterHost &host, const std::vector<Marker> &markers) {
        nodes_[number] = {&host, std::any_of(markers.begin(), markers.end(), ofFurtherWindow)};
    }
    /// `markers`: of node 0. Before virtual time begins.
    void begin(const std::vector<Marker> &markers);
    /// Node 0 has passed it.
    void marker(const Marker &marker);
    /// Node 0's hardware has begun the cold invocation.
    void coldStart() { coldAt_ = opened_; }
    /// Both nodes stand at the same tick and virtual time stands still.
    void atBoundary();
    /// A line `live JSON` on standard error: the tick, round trips, frames, counters of both.
    void tell(uint64_t tick, std::size_t frames);
    /// Both have exited: `counters` from now on. RunError when they cannot be right.
    void end();

    std::vector<Counters> counters; ///< by node, as far as they are read
    uint64_t invocations = 0;       ///< of node 0's path

  private:
    Measurement(const Measurement &) = default;

    struct Measured {
        CounterHost *host = nullptr;
        bool further = false; ///< there is a marker of another window than the path's
    };
    void forkCold();
    void startCold();

    Options *options_;
    const NodeInfo *info_;
    std::array<Measured, 2> nodes_;
    PathParts parts_;                      ///< of node 0
    uint64_t opened_ = 0;                  ///< so often node 0's window has opened
    uint64_t coldWanted_ = 0, coldAt_ = 0; ///< so often it had at the cold start
    bool coldEnded_ = false;
    uint64_t pending_ = 0;  ///< for the counters, at the next boundary outside the window
    bool inWindow_ = false; ///< node 0 is on its path
};

} // namespace mcpi
