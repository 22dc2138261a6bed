// SPDX-License-Identifier: BSD-2-Clause
// A node as every mode with a guest wants it: held, its RAM and registers written, the model that
// checks it in lock-step beside it.
#pragma once
#include "check/lockstep.h"
#include "host/hostlink.h"
#include "node.h"
#include "node_init.h"
#include "testbed/options.h"

namespace mcpi {

/// Size and speed of a node's RAM, its exit register, and its trace.
NodeConfig nodeConfig(const Machine &machine, const NodeInfo &info, const Options &options,
                      unsigned number);

struct LoadedNode {
    std::unique_ptr<Node> node;
    std::unique_ptr<HostLink> link;
    std::unique_ptr<Lockstep> lockstep;

    void load(const Machine &machine, const NodeInfo &info, const Options &options,
              const Program &program, unsigned number);
    /// Virtual time may begin.
    void start(const NodeInfo &info) { link->writeRegister(info.number("run"), 1); }
    /// RunError if nothing has retired for `patience` ticks.
    void checkHang(const NodeInfo &info, uint64_t now, uint64_t patience) const;

  private:
    unsigned number_ = 0;
};

} // namespace mcpi
