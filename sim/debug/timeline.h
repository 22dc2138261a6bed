// SPDX-License-Identifier: BSD-2-Clause
// A run in which one may stand at any tick: copies of both machines are kept on the way, and what
// lies between two of them is run again. The run is the same each time, so nothing is recorded.
#pragma once
#include <functional>
#include <map>
#include <memory>

#include "stops.h"

namespace mcpi::debug {

constexpr const char *oneWay =
    "the RTL's machines cannot be copied, so time does not go back here; "
    "--engine exact has the same ticks, and goes back.\n";

class Timeline {
  public:
    enum class End { hit, begin, end, failed, interrupted };
    /// Asked now and then while ticks pass.
    using Interrupted = std::function<bool()>;

    explicit Timeline(std::unique_ptr<Machines> machines);

    Machines &now() { return *now_; }
    const Machines &now() const { return *now_; }
    uint64_t tick() const { return now_->standing(); }
    /// Stand at this tick, or where the run ends.
    void goTo(uint64_t tick);
    /// To the next hit of `stops`. `hit`: that one.
    End forward(Stops &stops, Hit &hit, const Interrupted &interrupted);
    /// To the last hit before this tick.
    End backward(Stops &stops, Hit &hit, const Interrupted &interrupted);
    /// Visit parts of the past, the latest first: `part` is called with each and how far it goes,
    /// after `begins` with the machines at its beginning. It ends when `part` returns true.
    void past(uint64_t until, exact::Probe &probe, const std::function<void()> &begins,
              const std::function<bool()> &part);
    /// The engine makes copies; else no tick before this one can be asked for.
    bool goesBack() const { return !even_.empty(); }

    /// Ticks between copies of the whole run, at first, and how many there are at most: then every
    /// other is dropped.
    static constexpr uint64_t apart = 1 << 20;
    static constexpr std::size_t most = 80;
    /// Copies near the tick that was asked for last: at most, and how near.
    static constexpr std::size_t mostNear = 12;
    static constexpr uint64_t nearest = 1 << 15;

  private:
    using Copies = std::map<uint64_t, std::unique_ptr<Machines>>;

    uint64_t back(uint64_t tick);
    bool run(uint64_t until, exact::Probe *probe, const Interrupted *interrupted);
    void keep();
    void onTheWay(uint64_t until);
    bool kept(uint64_t tick) const { return even_.count(tick) || near_.count(tick); }

    std::unique_ptr<Machines> now_;
    Copies even_, near_;
    uint64_t spacing_ = apart;
};

} // namespace mcpi::debug
