// SPDX-License-Identifier: BSD-2-Clause
// Two exact nodes on the testbed.
#pragma once
#include "testbed/testbed.h"
#include "watched_node.h"

namespace mcpi::exact {

class Pair : public Testbed {
  public:
    explicit Pair(const Options &options);
    /// Copy the other's state: both go on, each by itself; the copy's files go to `out`.
    Pair(const Pair &other, const std::string &out);

    /// Run both nodes to this tick, which may lie in a window, or to the end. `probe` looks at each
    /// step and may stop the node before; then the other does not run beyond it. A node whose run
    /// goes wrong stops too.
    void standAt(uint64_t tick, Probe *probe = nullptr);
    /// Tick that both nodes have run to.
    uint64_t standing() const { return standing_; }
    /// Node 0 had run further when the probe stopped node 1: this pair is of no more use.
    bool apart() const { return apart_; }
    /// Both nodes have exited, in a window that is over.
    bool ended() const { return standing_ == now_ && now_ && over(); }
    /// Description of what went wrong; empty: nothing.
    const std::string &failure() const { return failure_; }
    WatchedNode &node(unsigned number) { return nodes_[number]; }
    const WatchedNode &node(unsigned number) const { return nodes_[number]; }
    const Machine &machine() const { return *machine_; }

  private:
    Pair(const Options &options, std::shared_ptr<const Machine> machine);
    void attachNodes();

    bool runs(unsigned node, uint64_t until);

    std::array<WatchedNode, 2> nodes_;
    uint64_t standing_ = 0;
    bool apart_ = false;
    std::string failure_;
};

} // namespace mcpi::exact
