// SPDX-License-Identifier: BSD-2-Clause
// A Verilated node of several cores: clocks, its backing memory, its end of the host link, and the
// traces of its cores.
#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/core_trace.h"
#include "base/machine.h"
#include "host/hostlink.h"
#include "rtl/sdram_model.h"

class VCoherentNode;
class VerilatedContext;

namespace mcpi::cores {

/// Order of the snooping bus in a tick; numbers as in rtl/memory/coherent.
struct Order {
    bool valid = false;
    unsigned place = 0, kind = 0;
    uint64_t block = 0; ///< of the b-cache
    unsigned ends = 0;  ///< ticks from this one to its end
    bool shared = false, remote = false;
};

class CoherentRtl : public ByteLink {
  public:
    /// UserError if the model is not of the node that `info` describes.
    /// `withholdPercent`: clocks without a tick, at random.
    CoherentRtl(const NodeInfo &info, uint64_t ramBytes, const BackingLatency &latency,
                unsigned withholdPercent);
    ~CoherentRtl() override;

    /// Clocks up to and with the next tick. RunError when none comes.
    void tick();
    uint64_t ticks() const { return ticks_; }

    // State of the last tick.
    uint64_t tracedTick() const { return ticks_ - 1; }
    using Bits = NodeInfo::Bits;
    /// The field `name` of each core's trace; UserError if there is none.
    Bits field(const std::string &name) const;
    bool has(const std::string &name) const { return info_.trace.count(name); }
    /// The trace of a core.
    const uint32_t *trace(unsigned core) const { return &trace_[core * stride_ / 32]; }
    uint64_t value(unsigned core, Bits bits) const { return traced(trace(core), bits); }
    const Order &order() const { return order_; }
    /// A byte of RAM, with what was written in the last tick.
    uint8_t byteAt(uint64_t address);
    bool exits() const { return exits_; }
    unsigned exitCode() const { return exitCode_; }

    SdramModel backing;

    // ByteLink: virtual time stands still.
    void send(uint8_t byte) override { toNode_.push_back(byte); }
    bool receive(uint8_t &byte) override;
    void idle() override;

  private:
    bool clock(bool pause);
    void observe();
    bool withholds();

    NodeInfo info_;
    uint64_t ramBytes_;
    unsigned stride_ = 0; ///< bits of a core
    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<VCoherentNode> top_;
    std::deque<uint8_t> toNode_, fromNode_;
    std::vector<uint32_t> trace_; ///< of all cores, in the last tick
    Order order_;
    unsigned withholdPercent_;
    std::minstd_rand withheld_; ///< which clocks get no tick
    uint64_t ticks_ = 0;
    bool exits_ = false;
    unsigned exitCode_ = 0;
};

} // namespace mcpi::cores
