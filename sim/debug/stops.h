// SPDX-License-Identifier: BSD-2-Clause
// Conditions that a debugger waits for, in both directions: a place, a change or an access of
// memory, an instruction more. A position is a tick: the node has run all ticks before it.
#pragma once
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "machines.h"

namespace mcpi::debug {

/// A condition came true.
struct Hit {
    enum class What { step, place, write, read, access };
    uint64_t tick = 0; ///< where to stand: forward behind the cause, backward before it
    unsigned node = 0;
    What what = What::step;
    uint64_t address = 0; ///< of a watchpoint; physical, of a place
    bool dma = false;     ///< the network controller wrote
};

/// Bytes of a node's memory that are watched. `write`: their change, whoever makes it; `read`,
/// `access`: instructions that overlap them.
struct Watchpoint {
    Hit::What what = Hit::What::write;
    uint64_t address = 0; ///< as the debugger names it
    uint64_t bytes = 0;
    bool operator==(const Watchpoint &o) const {
        return what == o.what && address == o.address && bytes == o.bytes;
    }
};

class Stops : public exact::Probe {
  public:
    std::array<std::set<uint64_t>, mostThreads> places; ///< physical, by thread
    std::array<std::vector<Watchpoint>, mostThreads> watchpoints;
    std::optional<unsigned> steps; ///< the node that is to step
    /// Add or remove a place. GDB removes a place while it steps a thread over it; other threads
    /// that come there wait.
    void place(unsigned thread, uint64_t physical, bool adds);
    void forgetRemoved() { removed_ = {}; }
    /// Forward, this thread alone may stop: hits of others wait.
    std::optional<unsigned> only;
    /// Something may come true.
    bool any() const;
    /// The first hit that waits, and waits no more; none if it is not wanted any more.
    std::optional<Hit> takeWaiting();
    /// The debugger is told of this hit: one of the other node in the same tick waits.
    void tells(const Hit &hit);
    /// Time has not gone on from the last hit: nothing waits.
    void dropWaiting() { waiting_.clear(); }

    /// Looks at the machines from their tick on. Forward: the first hit of a thread stops it.
    /// Backward: the last hit before `limit` counts, and nothing stops.
    void begin(Machines &machines, std::optional<uint64_t> limit);
    /// Before `begin` of an earlier part: the part behind it had no hit.
    void partBefore() { depthAfter_ += depth_[steps.value_or(0)]; }
    /// Before a search begins.
    void forget() { depthAfter_ = 0; }
    bool after(unsigned node, const exact::TickRun &run) override;
    /// The first hit of both nodes, or the last.
    std::optional<Hit> found() const;

  private:
    void waits(const Hit &hit);
    bool wanted(const Hit &hit);
    bool stepped(unsigned node, const exact::TickRun &run);
    bool issued(unsigned node, const exact::TickRun &run);
    bool changed(unsigned node, const exact::TickRun &run);

    Machines *machines_ = nullptr;
    std::optional<uint64_t> limit_;
    std::array<std::optional<Hit>, mostThreads> hits_;
    std::array<std::set<uint64_t>, mostThreads> removed_;      ///< since all threads went on
    std::vector<Hit> waiting_;                                 ///< by tick, one of a thread at most
    std::array<std::vector<std::string>, mostThreads> values_; ///< of the watchpoints
    std::vector<std::string> seen_; ///< of cores of one machine: what the first to see it saw
    std::array<int, mostThreads> depth_{}; ///< interrupts entered since the beginning, but not left
    int depthAfter_ = 0;
    bool inPal_ = false;               ///< the step begins in PALcode: its instructions count
    bool issues_ = false;              ///< the stepping node's instruction has issued
    std::map<int, uint64_t> lastStep_; ///< tick of the last instruction by depth
};

} // namespace mcpi::debug
