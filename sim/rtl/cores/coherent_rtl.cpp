// SPDX-License-Identifier: BSD-2-Clause
#include "coherent_rtl.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <verilated.h>

#include "VCoherentNode.h"
#include "base/error.h"

namespace mcpi::cores {
namespace {

constexpr unsigned pageBytes = 8192, wordBits = 32;
constexpr uint64_t patience = 10'000'000; // clocks without a tick: tables of blocks are swept
/// The machine's cache block is the width of this port.
constexpr unsigned blockBytes = sizeof(std::declval<VCoherentNode>().io_backing_rsp_payload);

} // namespace

CoherentRtl::CoherentRtl(const NodeInfo &info, uint64_t ramBytes, const BackingLatency &latency,
                         unsigned withholdPercent)
    : backing(ramBytes, ramBytes, pageBytes, blockBytes, latency, info.cores), info_(info),
      ramBytes_(ramBytes), context_(std::make_unique<VerilatedContext>()),
      withholdPercent_(withholdPercent), withheld_(latency.seed) {
    for (const auto &[name, bits] : info.trace)
        stride_ = std::max(stride_, bits.first + bits.width);
    stride_ = (stride_ + wordBits - 1) / wordBits * wordBits;
    context_->threads(1);
    context_->randReset(0);
    top_ = std::make_unique<VCoherentNode>(context_.get(), "node");
    trace_.resize(info.cores * stride_ / wordBits);
    if (!info.cores || sizeof top_->io_trace != trace_.size() * sizeof trace_[0])
        throw UserError("this program has another node in it than its Node.json says.");
    top_->io_host_toHost_ready = 1;
    top_->reset = 1;
    for (int i = 0; i < 4; ++i)
        clock(true);
    top_->reset = 0;
}

CoherentRtl::~CoherentRtl() {
    top_->final();
}

CoherentRtl::Bits CoherentRtl::field(const std::string &name) const {
    const auto found = info_.trace.find(name);
    if (found == info_.trace.end())
        throw UserError("the trace of a core has no field '" + name + "'; see its Node.json.");
    return found->second;
}

uint8_t CoherentRtl::byteAt(uint64_t address) {
    if (address >= ramBytes_)
        return 0;
    return backing.at(address);
}

bool CoherentRtl::withholds() {
    return withholdPercent_ && withheld_() % 100 < withholdPercent_;
}

bool CoherentRtl::receive(uint8_t &byte) {
    if (fromNode_.empty())
        return false;
    byte = fromNode_.front();
    fromNode_.pop_front();
    return true;
}

void CoherentRtl::idle() {
    if (clock(true))
        throw RunError("a tick passed while virtual time stood still.");
}

void CoherentRtl::tick() {
    for (uint64_t clocks = 0; !clock(withholds()); ++clocks)
        if (clocks == patience)
            throw RunError("no tick within " + std::to_string(patience) + " clocks after tick " +
                           std::to_string(ticks_) + ": somebody holds virtual time.");
    ++ticks_;
    if (context_->gotFinish())
        throw RunError("an assertion of the RTL failed before tick " + std::to_string(ticks_) +
                       "; it is printed above.");
}

/// Step one clock; return true if it was a tick, whose trace stands from the clock after it on.
bool CoherentRtl::clock(bool pause) {
    VCoherentNode &t = *top_;
    t.io_pause = pause;
    t.io_backing_cmd_ready = backing.ready();
    const uint8_t *block = backing.clock();
    t.io_backing_rsp_valid = block != nullptr;
    if (block)
        std::memcpy(t.io_backing_rsp_payload.data(), block, blockBytes);
    t.io_host_fromHost_valid = !toNode_.empty();
    if (!toNode_.empty())
        t.io_host_fromHost_payload = toNode_.front();
    t.clk = 0;
    t.eval();
    const bool tick = t.io_tick;
    if (tick) {
        exits_ = t.io_exit_valid;
        exitCode_ = t.io_exit_payload;
    }
    if (t.io_backing_cmd_valid && t.io_backing_cmd_ready) {
        if (t.io_backing_cmd_payload_write) {
            backing.write(t.io_backing_cmd_payload_address, t.io_backing_cmd_payload_data.data(),
                          &t.io_backing_cmd_payload_mask);
        } else {
            backing.read(t.io_backing_cmd_payload_address);
        }
    }
    if (t.io_host_fromHost_valid && t.io_host_fromHost_ready)
        toNode_.pop_front();
    if (t.io_host_toHost_valid)
        fromNode_.push_back(t.io_host_toHost_payload);
    t.clk = 1;
    t.eval();
    if (tick)
        observe();
    return tick;
}

void CoherentRtl::observe() {
    const VCoherentNode &t = *top_;
    std::memcpy(trace_.data(), t.io_trace.data(), trace_.size() * sizeof trace_[0]);
    order_ = {t.io_order_valid != 0,    t.io_order_payload_place, t.io_order_payload_kind,
              t.io_order_payload_block, t.io_answer_ends,         t.io_answer_shared != 0,
              t.io_answer_remote != 0};
}

} // namespace mcpi::cores
