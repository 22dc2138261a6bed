// SPDX-License-Identifier: BSD-2-Clause
// Surroundings of the processor on the core bench: RAM behind a bus with latencies, DMA that shares
// the bus, I/O registers and interrupt lines; all of it at random from one seed.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/machine.h"
#include "base/retirement.h"
#include "coverage.h"
#include "stored_blocks.h"

namespace mcpi {

/// Mean distances between events: interrupts in instructions outside PAL mode (so that there is
/// always progress between two of them), DMA in ticks; 0: never. So many instructions after a cold
/// start the next one is asked for.
struct Weather {
    uint64_t seed = 1;
    unsigned interruptEvery = 150, dmaEvery = 150, coldEvery = 0;
    unsigned slowReadIn = 8;      ///< one block read of so many takes `memory.read_ticks`
    unsigned withholdPercent = 0; ///< clocks without a tick for no reason of the core's
    bool withholdApart = false;   ///< they change nothing else that is random
};

/// Memory bus, DMA, I/O bus and interrupts in ticks; `random-tests.md` has the addresses.
class Surroundings {
  public:
    Surroundings(const Machine &machine, const Weather &weather);

    /// Bus state for a clock: call before the processor's outputs are looked at.
    struct Drive {
        bool answer = false, error = false, ready = false;
        const uint8_t *block = nullptr; ///< of a read's answer
        bool invalidate = false;
        uint64_t invalidated = 0;
        bool ioAnswer = false, ioError = false, ioReady = false;
        uint64_t ioValue = 0;
    };
    const Drive &drive(bool tick, bool moves);

    /// The answers that wait for a clock that moves, and `ready` in that; nothing else of `Drive`.
    Drive waiting() const;

    /// The block that DMA writes, or wrote last.
    uint64_t dmaBlock() const { return dmaAddress_ & ~uint64_t{blockBytes_ - 1}; }

    /// The processor's command in a clock in which the bus moves and `ready` was given.
    /// `kind`: MemoryKind. `dirty`: a load says that it displaces a dirty block of a write-back
    /// D-cache; empty if that is right.
    std::string read(uint64_t address, unsigned kind, bool dirty);
    /// In a tick, of a write-back D-cache: into RAM at once. `long`: a longword.
    void store(uint64_t address, uint64_t data, bool isLong);
    void write(uint64_t address, const void *data, const void *mask);
    void io(uint64_t address, bool write, bool quad, uint64_t value);
    /// In a tick: so many ticks from this one on may be one, as far as what is around goes.
    uint64_t quiet() const;
    /// After those: one clock is over.
    void pass(bool tick, bool moves);

    /// User of the bus, once the command of this clock is heard; purpose and address of the last
    /// read.
    Coverage::Bus onBus() const;
    Coverage::Bus answered() const { return readFor_; }
    uint64_t answeredAddress() const { return address_; }

    void nativeRetired(); ///< an instruction outside PAL mode
    bool withhold() {
        return withhold_ && (weather_.withholdApart ? apart_ : random_)() % 100 < withhold_;
    }
    unsigned lines() const { return lines_; }
    void raiseAll() { lines_ = 7; }

    /// Empty when `r`, issued at `issued`, is a load that DMA can explain, or none of its window.
    std::string judgeWindowLoad(const Retirement &r, uint64_t issued);
    /// Return true if `r` is a STx_C that failed because DMA wrote into the locked range. Set
    /// `error` when it must have failed and did not.
    bool lostLock(const Retirement &r, uint64_t issued, std::string &error);
    /// Empty when the I/O writes on the bus are those that retired, as far as both are known;
    /// either may come first.
    std::string judgeIo(const Retirement &r);
    /// Empty when no I/O write is left of either, when all has retired.
    std::string judgeIoAtEnd();

    std::vector<uint8_t> ram;
    bool go = true; ///< what the guest reads at `goFlag`; false ends its loop
    uint64_t now = 0, reads = 0, writes = 0, dmas = 0, ios = 0, errors = 0, interrupts = 0;
    uint64_t dirtyMisses = 0;
    uint64_t windowBase() const { return windowBase_; }
    uint64_t windowEnd() const { return windowEnd_; }

    static constexpr uint64_t ioBase = 0x2'0000'0000, acknowledge = 0x1000, goFlag = 0x1008,
                              nobody = 0x2000; ///< from here on nothing answers
    static constexpr uint64_t data =
        0x20'0000; ///< the guest's, where DMA writes back what is there

  private:
    struct IoWrite {
        uint64_t address, data;
        bool quad;
    };
    struct Change {
        uint64_t tick, number;
    };
    static constexpr unsigned lanes = 64;  ///< of 16 bytes, that DMA changes
    static constexpr unsigned crowded = 4; ///< the first ones, which it changes most often

    unsigned until(unsigned every) { return every ? 1 + random_() % (2 * every) : 0; }
    void beginDma();
    void endDma();
    std::string compareIo();

    enum class Bus { free, core, dma };

    unsigned blockBytes_, readTicks_, slowTicks_, writeTicks_, dmaTicks_, dirtyTicks_;
    uint64_t dCacheBytes_;
    unsigned slowIn_, withhold_;
    bool ideal_;
    Weather weather_;
    uint64_t windowBase_, windowEnd_;
    std::minstd_rand random_, apart_;
    Drive drive_;

    Bus bus_ = Bus::free;
    unsigned left_ = 0; ///< ticks until the answer
    bool isRead_ = false, isLoad_ = false;
    Coverage::Bus readFor_ = Coverage::free;
    StoredBlocks blocks_;            ///< of a write-back D-cache
    std::optional<uint64_t> loaded_; ///< into it, with this tick
    std::vector<uint64_t> drops_;    ///< from it, with this tick
    uint64_t address_ = 0, lastRead_ = 0;
    unsigned dmaIn_, interruptIn_, raiseIn_ = 0;
    uint64_t dmaAddress_ = 0, dmaNumber_ = 0;
    bool dmaPending_ = false; ///< ideal memory: beside the core's own accesses
    unsigned dmaLeft_ = 0;
    std::array<std::deque<Change>, lanes> changes_;

    /// DMA's latest writes, whatever they wrote; and the lock that holds.
    std::array<std::pair<uint64_t, uint64_t>, 64> recent_{}; ///< tick, address
    uint64_t lockIssued_ = 0, lockRetired_ = 0, locked_ = 0;
    bool aimed_ = false; ///< the next DMA goes there

    bool ioBusy_ = false;
    unsigned ioLeft_ = 0;
    uint64_t ioValue_ = 0;
    bool ioError_ = false;
    std::deque<IoWrite> ioSeen_, ioRetired_;
    unsigned lines_ = 0;
};

} // namespace mcpi
