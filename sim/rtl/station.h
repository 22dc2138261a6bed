// SPDX-License-Identifier: BSD-2-Clause
// A Verilated node as a station: its RAM and registers written, its counters behind host registers,
// and the models that check it.
#pragma once
#include "check/lockstep.h"
#include "check/oracle.h"
#include "host/hostlink.h"
#include "node.h"
#include "testbed/station.h"

namespace mcpi {

/// Size and speed of a node's RAM, its exit register, and its trace.
NodeConfig nodeConfig(const Machine &machine, const NodeInfo &info, const Options &options,
                      unsigned number);

class RtlStation : public Station {
  public:
    RtlStation(const Machine &machine, const NodeInfo &info, const Options &options,
               unsigned number);

    /// Log what the options ask for, and let the oracle predict, of a run of two nodes.
    void watch(const Options &options);
    /// Virtual time may begin.
    void start() { link_.writeRegister(info_.number("run"), 1); }
    uint64_t readRegister(const char *name) { return link_.readRegister(info_.number(name)); }
    /// Take what the node has sent to its host.
    void poll() { link_.poll(); }
    /// Note the exit of a netlist's node, which the host link reports.
    void hasExited(unsigned code) { node_.hasExited(code); }
    /// The run is over, though time goes on so that what has issued retires.
    void end();
    Oracle *oracle() { return oracle_.get(); }
    /// Null without it.
    const Lockstep *lockstep() const { return lockstep_.get(); }
    const std::vector<uint64_t> &ownerTicks() const { return node_.ownerTicks(); }
    /// Instructions that have retired.
    uint64_t retired() const { return node_.instructions(); }

    uint64_t quietTicks(const Port &wire) const override { return node_.quietTicks(wire); }
    void advance(uint64_t until, Port &wire) override { node_.advance(until, wire); }
    void checkHang(uint64_t now, uint64_t patience) override;
    int exitCode(uint64_t) const override {
        return node_.exited() ? static_cast<int>(node_.exitCode()) : -1;
    }
    uint64_t issued() const override { return ended_ ? issued_ : node_.issued(); }
    uint64_t clocks() const override { return node_.clocks(); }
    uint8_t byteAt(uint64_t address) override { return node_.backing.at(address); }
    const std::string &console() override;
    const Program &program() const override { return program_; }
    void write(const std::string &folder) override;
    std::string recent() const override { return lockstep_ ? lockstep_->recent() : ""; }

    void control(uint64_t what) override;
    void startCold(uint64_t address, unsigned parts) override;
    Counters copy() override;
    Counters now() override;
    void dropCold() override;

  private:
    const Machine &machine_;
    const NodeInfo &info_;
    unsigned number_;
    bool byRegisters_; ///< the node measures by itself
    Program program_;
    Node node_;
    HostLink link_;
    std::unique_ptr<Lockstep> lockstep_;
    std::unique_ptr<Oracle> oracle_;
    std::unique_ptr<TickLog> log_;
    std::unique_ptr<SpanLog> span_;
    std::unique_ptr<SpellLog> spells_;
    std::unique_ptr<PathTrace> trace_;
    std::unique_ptr<CallLog> calls_;
    std::unique_ptr<ProgramGuard> guard_;
    bool ended_ = false;  ///< the run is over, and these are as of its end
    uint64_t issued_ = 0; ///< instructions
    std::string console_;
};

} // namespace mcpi
