// SPDX-License-Identifier: BSD-2-Clause
// One node whose wire's other end is outside: frames come and go by lines of text (--outside), in
// the node's virtual time. For peers that are no part of the machine: Linux, stacks in Python.
#pragma once
#include <iosfwd>
#include <memory>

#include "lockstep.h"
#include "node.h"
#include "options.h"
#include "setup.h"

namespace mcpi {

class Outside {
  public:
    explicit Outside(const Options &options);

    /// Lines in and out until `in` ends; docs/simulator.md has them. RunError as in Simulation.
    void run(std::istream &in, std::ostream &out);

  private:
    void prepare();
    void command(const std::string &line, std::ostream &out);
    void deliver(const std::string &hex);
    void runUntil(uint64_t tick, std::ostream &out);
    void checkHang();

    Options options_;
    Machine machine_;
    NodeInfo info_;
    LineConfig wire_;
    Program program_;
    std::unique_ptr<Node> node_;
    std::unique_ptr<HostLink> link_;
    std::unique_ptr<Lockstep> lockstep_;
    std::unique_ptr<Line> toOutside_, toNode_;
    std::unique_ptr<Port> port_;
    uint64_t now_ = 0;
    uint64_t free_ = 0; ///< when the next frame to the node may begin
};

} // namespace mcpi
