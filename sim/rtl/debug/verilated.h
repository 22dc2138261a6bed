// SPDX-License-Identifier: BSD-2-Clause
// Two Verilated nodes on a wire, for the debugger. A node's registers, place and memory are those
// after the instruction that has retired last, as the model in lock-step has them.
#pragma once
#include "debug/machines.h"
#include "rtl/simulation.h"

namespace mcpi::debug {

class Verilated : public Machines, private Simulation {
  public:
    /// `threads`: how many of the two the debugger sees.
    Verilated(const Options &options, unsigned threads);

    std::unique_ptr<Machines> copy() const override { return nullptr; }
    void standAt(uint64_t tick, exact::Probe *probe) override;
    uint64_t standing() const override { return standing_; }
    bool stopped() const override { return stopped_; }
    bool ended() const override { return standing_ == now_ && now_ && over(); }
    const std::string &failure() const override { return failure_; }
    void leaveFiles() override { run(); }
    std::vector<std::string> owners() const override { return info_.owners; }

    unsigned threads() const override { return threads_; }
    const alpha::Cpu &cpu(unsigned node) const override { return nodes_[node]->lockstep()->cpu(); }
    uint64_t value(unsigned node, unsigned reg) const override { return cpu(node).r[reg]; }
    std::string bytesAt(unsigned node, uint64_t physical, uint64_t count) override;
    std::optional<Access> accessed(unsigned node, uint64_t pc) const override;
    bool dmaWrites(unsigned node) const override { return seen_[node].dma; }
    std::vector<uint64_t> ownerTicks(unsigned node) override { return nodes_[node]->ownerTicks(); }
    Counters counters(unsigned node) override { return nodes_[node]->now(); }
    uint64_t instructions(unsigned node) const override { return nodes_[node]->issued(); }
    const std::string &console(unsigned node) override { return nodes_[node]->console(); }
    int exitCode(unsigned node) const override { return nodes_[node]->exitCode(now_); }
    std::optional<Exit> exit(unsigned node) const override;
    const Testbed *wire() const override { return this; }
    std::optional<std::string> answer(Timeline &timeline, const std::string &word,
                                      const std::string &argument, unsigned node) override;

  private:
    uint64_t stepEnd(uint64_t tick) const;
    bool tells(unsigned node, uint64_t from, exact::Probe &probe);

    unsigned threads_;
    uint64_t standing_ = 0;
    bool stopped_ = false;
    std::string failure_;
    struct Seen {
        uint64_t instructions = 0, dmaWrites = 0; ///< so many
        bool dma = false;                         ///< in the last step
    };
    std::array<Seen, 2> seen_;
};

} // namespace mcpi::debug
