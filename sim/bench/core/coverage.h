// SPDX-License-Identifier: BSD-2-Clause
// Coverage of a random run: counters of five crosses (docs/verification/random-tests.md, Coverage).
// It looks at the ticks, the bus and what retires, and changes nothing.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "base/machine.h"
#include "base/retirement.h"
#include "machines/counters.h"

namespace mcpi {

class Coverage {
  public:
    explicit Coverage(const Machine &machine);

    /// User of the memory bus in a tick, or of the transaction that it answered.
    enum Bus : uint8_t { free, fetch, prefetch, load, write, dma, busStates };
    static constexpr unsigned owners = commonOwners, vectors = 6;

    /// A tick of the core, in order of ticks.
    struct Tick {
        uint8_t owner = 0;
        Bus bus = free;
        bool iMiss = false, streamHit = false, trapped = false;
    };
    void ticked(uint64_t now, const Tick &tick);

    /// In tick `now` a block read for `kind` is answered; a block that DMA wrote is invalidated.
    void filled(uint64_t now, Bus kind, uint64_t address);
    void invalidated(uint64_t now, uint64_t address);

    /// In program order; `issued`: the tick. `vector`: its place in `CoreBench::vectors`.
    void retired(const Retirement &r, uint64_t issued);
    void trapped(unsigned vector);
    /// A fetch has failed: of what follows the instruction that retired last, or of where it led.
    /// What else is due then: a program's overflow, an interrupt.
    void fetchFailed(uint64_t pc, bool overflow, bool interrupt);

    /// Counts by bin, of those that were met; a bin's name begins with its cross.
    std::map<std::string, uint64_t> bins() const;

  private:
    static constexpr unsigned producers = 13, consumers = 8, distances = 5;
    static constexpr unsigned relations = 3, offsets = 9, reach = 8;
    static constexpr unsigned kinds = 5, fetches = 3, ways = 2, dues = 4;
    static constexpr unsigned ring = 1 << 14;

    struct Written {
        unsigned producer = producers; ///< none yet
        uint64_t tick = 0;
    };
    struct OnBus {
        uint64_t tick, block;
        Bus kind;
    };

    void use(unsigned consumer, unsigned reg, uint64_t issued);
    void operands(const Retirement &r, uint64_t issued);
    void redirected(const Retirement &r, uint64_t issued);
    void meet(const OnBus &fill, uint64_t tick, uint64_t block);
    const Tick &at(uint64_t tick) const { return ticks_[tick % ring]; }

    uint64_t blockBytes_, sets_;
    bool ev4_;
    std::vector<Tick> ticks_; ///< the last ones
    uint64_t now_ = 0;        ///< of the latest

    std::array<Written, 32> written_;
    std::array<std::array<std::array<uint64_t, distances>, consumers>, producers> operands_{};

    std::deque<uint64_t> traps_; ///< ticks of traps that have not come to the retire port
    std::array<std::array<uint64_t, owners>, vectors> trapped_{};

    std::deque<OnBus> fills_, invalidations_; ///< within `reach`
    std::array<std::array<std::array<uint64_t, offsets>, relations>, 3> met_{};

    bool any_ = false; ///< an instruction has retired
    uint64_t lastPc_ = 0, lastIssued_ = 0;
    uint32_t lastInstruction_ = 0;
    bool trapBetween_ = false;
    uint64_t trapTick_ = 0;
    std::array<std::array<std::array<uint64_t, busStates>, fetches>, kinds> redirects_{};
    std::array<std::array<uint64_t, dues>, ways> failed_{};
};

} // namespace mcpi
