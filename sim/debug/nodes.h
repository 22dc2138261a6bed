// SPDX-License-Identifier: BSD-2-Clause
// Two nodes on a wire, for the debugger.
#pragma once
#include "exact/run/pair.h"
#include "exact_machines.h"

namespace mcpi::debug {

class Nodes : public ExactMachines {
  public:
    /// `threads`: how many of the two the debugger sees.
    Nodes(const Options &options, unsigned threads)
        : out_(options.out), threads_(threads), pair_(exact::Pair(options), options.out) {}
    Nodes(const Nodes &other)
        : out_(other.out_), threads_(other.threads_), pair_(other.pair_, other.out_) {}

    std::unique_ptr<Machines> copy() const override { return std::make_unique<Nodes>(*this); }
    void standAt(uint64_t tick, exact::Probe *probe) override { pair_.standAt(tick, probe); }
    uint64_t standing() const override { return pair_.standing(); }
    bool apart() const override { return pair_.apart(); }
    bool stopped() const override { return pair_.node(0).stopped() || pair_.node(1).stopped(); }
    bool ended() const override { return pair_.ended(); }
    const std::string &failure() const override { return pair_.failure(); }
    void leaveFiles() override { exact::Pair(pair_, out_).run(); }
    const Machine &machine() const override { return pair_.machine(); }

    unsigned threads() const override { return threads_; }
    const exact::Core &core(unsigned node) const override { return pair_.node(node).node().core(); }
    Counters counters(unsigned node) override { return pair_.node(node).now(); }
    uint64_t instructions(unsigned node) const override { return pair_.node(node).issued(); }
    const std::string &console(unsigned node) override { return pair_.node(node).console(); }
    int exitCode(unsigned node) const override { return pair_.node(node).exitCode(~uint64_t{0}); }
    const Testbed *wire() const override { return &pair_; }
    /// `rings`, `why` and `caches`.
    std::optional<std::string> answer(Timeline &timeline, const std::string &word,
                                      const std::string &argument, unsigned thread) override;

  private:
    std::string rings(unsigned node) const;

    std::string out_;
    unsigned threads_;
    exact::Pair pair_; ///< a copy: its files are in memory, and copies share what is much
};

} // namespace mcpi::debug
