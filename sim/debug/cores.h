// SPDX-License-Identifier: BSD-2-Clause
// A node of several cores, for the debugger: each core is a thread.
#pragma once
#include <optional>
#include <vector>

#include "exact/run/cores.h"
#include "exact_machines.h"

namespace mcpi::debug {

class Cores : public ExactMachines {
  public:
    explicit Cores(const exact::CoresOptions &options);
    Cores(const Cores &other);

    std::unique_ptr<Machines> copy() const override { return std::make_unique<Cores>(*this); }
    void standAt(uint64_t tick, exact::Probe *probe) override;
    uint64_t standing() const override { return node_->now(); }
    bool stopped() const override { return stopped_; }
    bool ended() const override { return node_->system().exited; }
    const std::string &failure() const override { return failure_; }
    void leaveFiles() override { exact::Cores(options_).run(); }
    const Machine &machine() const override { return *machine_; }

    unsigned threads() const override { return node_->cores(); }
    bool together() const override { return true; }
    const exact::Core &core(unsigned number) const override { return node_->core(number); }
    unsigned writer(uint64_t physical, uint64_t bytes, unsigned sees) const override;
    Counters counters(unsigned core) override { return counters_[core].now(); }
    uint64_t instructions(unsigned core) const override { return issued_[core]; }
    const std::string &console(unsigned) override { return node_->system().console; }
    /// `why` and `caches`.
    std::optional<std::string> answer(Timeline &timeline, const std::string &word,
                                      const std::string &argument, unsigned core) override;
    int exitCode(unsigned) const override { return static_cast<int>(node_->system().exitCode); }

  private:
    void observe(const exact::TickRun &run);

    exact::CoresOptions options_;
    std::shared_ptr<const Machine> machine_;
    MarkerTable markers_;
    std::unique_ptr<exact::CoherentNode> node_;
    std::vector<exact::CounterBanks> counters_; ///< by core, as `issued_`
    std::vector<uint64_t> issued_;
    bool stopped_ = false;
    std::string failure_;
};

} // namespace mcpi::debug
