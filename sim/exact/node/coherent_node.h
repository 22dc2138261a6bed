// SPDX-License-Identifier: BSD-2-Clause
// A machine of several cores on a snooping bus; what happens in which order within a tick
// (docs/explanation/multiprocessor.md).
//
// A core that only waits lags behind until something concerns it; then its ticks pass in one step.
#pragma once
#include <memory>
#include <vector>

#include "base/loader.h"
#include "devices.h"
#include "exact/core/core.h"
#include "io_arbiter.h"
#include "memory/snoop_bus.h"
#include "sync_bus.h"
#include "tally.h"

namespace mcpi::exact {

class CoherentNode : private DmaMemory {
  public:
    CoherentNode(const Machine &machine, const NodeSetting &setting);
    /// Copy the other's state: both go on, each by itself.
    CoherentNode(const CoherentNode &other);
    CoherentNode &operator=(const CoherentNode &) = delete;

    void place(const Segment &segment);
    void reset();
    void wake() { devices_.wake(); }
    /// Run to the next tick in which something happens, none from `until` on. What ticks
    /// of cores have been since; from the tick `until` on none is missing.
    const std::vector<TickRun> &step(Port &wire, uint64_t until);
    /// Let each core run on while it is alone with its caches and no other can disturb it, none to
    /// `until`; only with a watch. What its ticks were goes to the watch; a core that spins lags.
    void glide(uint64_t until);
    /// Sinks for the ticks of glides, by core: `tallies` for `counters`, or else `runs` with
    /// their taker.
    struct Watch {
        std::vector<CounterBanks> *counters = nullptr;
        std::vector<Stops> stops;
        std::vector<Tally> tallies;
        std::vector<Runs> runs;
        Runs::Taker taker;
    };
    /// Ticks are counted in another way from now on: loops that spin are looked at anew.
    void disturb();
    /// Without a watch no core glides.
    void watchedBy(Watch *watch) { watch_ = watch; }
    uint64_t now() const { return now_; }
    /// All its cores have.
    bool halted() const;
    unsigned cores() const { return static_cast<unsigned>(cores_.size()); }
    Core &core(unsigned number) { return *cores_[number]; }
    const SystemRegisters &system() const { return devices_.system; }
    /// The core has run the last tick, and not only passed it.
    bool stepped(unsigned core) const { return stepped_[core]; }
    memory::SnoopBus::Counts counts() const { return snoop_.counts(now_); }
    /// Order of the bus in the last tick; null: none.
    const memory::Ordered *ordered() const { return ordered_; }
    uint8_t byteAt(uint64_t address) const {
        return address < devices_.ram.size() ? devices_.ram.data()[address] : 0;
    }

  private:
    /// A core's way to devices.
    struct Way : IoBus {
        Way(CoherentNode &ofNode, unsigned ofCore) : node(ofNode), core(ofCore) {}
        void begin(uint64_t tick, uint64_t address, unsigned bytes, bool write,
                   uint64_t value) override;
        uint64_t answers(uint64_t tick) const override;
        bool read(uint64_t tick, uint64_t address, unsigned bytes, uint64_t &value) override;
        bool write(uint64_t tick, uint64_t address, unsigned bytes, uint64_t value) override;
        uint64_t lines(uint64_t tick) override;
        bool fetchedElsewhere(uint64_t block) const override;
        void dma(uint64_t, bool) override {}
        CoherentNode &node;
        unsigned core;
        bool sync = false; ///< the access is on the sync bus
    };

    void request(uint64_t tick, const Burst &burst, uint16_t mask) override {
        snoop_.request(devices_.dmaRequest(tick, burst, mask));
    }
    void join();
    uint64_t ownNext();
    void bounds(unsigned core);
    void glideCore(unsigned core, uint64_t until);
    void wakesFetchers();
    uint64_t next();
    void catchUp(unsigned core, uint64_t until);
    void firstHalf(unsigned core);
    void tick(Port &wire);
    void orders();
    void writes();
    void grants();
    void accesses();
    void finish();

    Devices devices_;
    memory::SnoopBus snoop_;
    IoArbiter io_;
    SyncBus sync_;
    std::vector<std::unique_ptr<Way>> ways_;
    std::vector<std::unique_ptr<Core>> cores_;
    memory::SnoopBus::Caches caches_;
    uint64_t start_, blockBytes_, now_ = 0;
    std::vector<uint64_t> wakes_;  ///< by core: the tick in which it does something
    std::vector<uint64_t> bounds_; ///< by core: before this tick no other hears of it
    std::vector<uint8_t> alone_;   ///< it may glide from the tick in which it wakes
    std::vector<uint64_t> lines_;  ///< as they were in the tick before
    std::vector<uint8_t> stepped_; ///< in the tick being run
    std::vector<TickRun> runs_;
    Watch *watch_ = nullptr;
    uint64_t known_ = 0; ///< `ownNext` as `glide` had it, for the step behind it; 0: not known
    const memory::Ordered *ordered_ = nullptr;
    bool dmaOrdered_ = false;
};

} // namespace mcpi::exact
