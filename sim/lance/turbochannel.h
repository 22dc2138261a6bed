// SPDX-License-Identifier: BSD-2-Clause
// The TURBOchannel's system side (turbochannel.md): programmed accesses of the core, bursts of an
// option's DMA, and who of the two has the bus.
//
// Everything on the bus happens at an edge, the last tick of a cycle. What a part raises in a tick
// is seen at the first edge from that tick on.
#pragma once
#include <array>
#include <cstdint>

namespace mcpi::exact {

constexpr uint64_t never = ~uint64_t{0};

/// An access of the core to a device.
struct Access {
    uint64_t address = 0, data = 0; ///< physical; data of a write, a longword in the low half
    bool write = false, quad = false;
};

/// A burst of an option, at most 16 aligned bytes.
struct Burst {
    uint64_t address = 0; ///< of the first longword: in the option's window, then physical
    unsigned longwords = 1;
    bool write = false;
    std::array<uint8_t, 16> data{}; ///< by place in the piece
    uint16_t bytes = 0xFFFF;        ///< those of the piece that a write may change
};

/// The first error on the bus until software takes it (turbochannel.md, Errors).
struct BusFault {
    bool timeout = false, memory = false;
    unsigned slot = 0;
    uint64_t address = 0;
    void set(bool silent, unsigned inSlot, uint64_t at) {
        if (!timeout && !memory)
            *this = {silent, !silent, inSlot, at};
    }
    unsigned cause() const { return slot << 8 | memory << 1 | timeout; }
};

/// An option as the system side sees it: registers at dense offsets, longword by longword.
class TcOption {
  public:
    virtual ~TcOption() = default;
    /// It sees an access from `tick` on; what is written, and its bytes.
    virtual void access(uint64_t tick, uint32_t offset, bool write, uint32_t value, unsigned mask) {
        (void)tick, (void)offset, (void)write, (void)value, (void)mask;
    }
    /// Return true if it answers at this edge, in the cycle of `sel` with this number, from 0.
    virtual bool ready(uint64_t edge, uint32_t offset, bool write, uint64_t cycle) const = 0;
    virtual uint32_t read(uint64_t edge, uint32_t offset) = 0;
    virtual void write(uint64_t edge, uint32_t offset, uint32_t value, unsigned mask) = 0;
    /// Its burst has the bus: where in memory the addresses of its bursts begin.
    virtual uint64_t window() const { return 0; }
    /// Told ahead: from `tick` on the burst's last longword is there, or its writes are out.
    virtual void burstDone(uint64_t tick, const Burst &burst, bool failed) = 0;
};

/// Memory as DMA reaches it: a transaction that asks from `tick` on. Its end comes back through
/// `TcHost::memoryDone`.
class DmaMemory {
  public:
    virtual ~DmaMemory() = default;
    virtual void request(uint64_t tick, const Burst &burst, uint16_t mask) = 0;
};

class TcHost {
  public:
    /// `slot`: the option's.
    TcHost(unsigned ticksPerCycle, unsigned timeoutCycles, unsigned slot)
        : cycle_(ticksPerCycle), timeout_(timeoutCycles), slot_(slot),
          free_(resetCycles * ticksPerCycle - 1) {}

    /// The core asks in `tick`; `slot` is the option there, or null.
    void begin(uint64_t tick, const Access &access, bool empty);
    /// The answer comes in `tick`.
    bool answers(uint64_t tick) const { return answer() == tick; }
    /// The tick of the answer; `never`: not known yet.
    uint64_t answer() const { return access_ == Stage::none ? never : answer_; }
    /// Take the value of the access, which is over.
    uint64_t take(bool &failed);

    /// The option's request for a burst is up from `tick` on.
    void request(uint64_t tick, const Burst &burst);
    /// The option has let go of its burst. A read whose address is not on the bus yet is for
    /// `burst`; a write has no more longwords from `tick` on.
    void letGo(uint64_t tick, const Burst &burst, TcOption &option);
    /// Memory has answered in `tick`: of a read, with the piece, or there is none.
    void memoryRead(uint64_t tick, const std::array<uint8_t, 16> &piece, bool failed,
                    TcOption &option);
    void memoryWritten(uint64_t tick, bool failed = false);
    /// The option's interrupt line as it is driven in `tick`, the last one.
    void drive(uint64_t tick, bool line);
    /// The line as the core sees it: it stands still while written data are on their way to memory.
    bool line() const { return line_; }
    uint64_t next() const;
    void at(uint64_t tick, TcOption &option, DmaMemory &memory);

    BusFault fault;

    unsigned ticksPerCycle() const { return cycle_; }
    uint64_t edge(uint64_t tick) const { return tick / cycle_ * cycle_ + cycle_ - 1; }

  private:
    enum class Stage { none, waits, selected, answered };

    static constexpr unsigned resetCycles = 8;

    uint64_t cycles(unsigned n) const { return uint64_t{n} * cycle_; }
    void decide(uint64_t edge, TcOption &option);
    void acknowledge(uint64_t edge, TcOption &option);
    void write(TcOption &option);
    void selected(uint64_t edge, TcOption &option);
    void beat(uint64_t edge, TcOption &option);
    uint32_t written() const { return static_cast<uint32_t>(what_.data >> 32 * beat_); }
    unsigned mask() const { return sparse_ && what_.quad ? what_.data >> 32 & 15 : 15; }
    void answer(uint64_t tick);
    uint32_t offset() const;

    unsigned cycle_, timeout_, slot_;
    uint64_t free_; ///< the first edge at which the bus can be given away

    Stage access_ = Stage::none;
    Access what_;
    bool empty_ = false, sparse_ = false, failed_ = false;
    unsigned beat_ = 0, beats_ = 1; ///< bus accesses
    uint64_t from_ = 0;             ///< the first edge that sees it
    uint64_t act_ = never;          ///< the edge at which something happens to it
    uint64_t start_ = 0;            ///< the edge at which its bus access began
    uint64_t done_ = 0;             ///< the edge at which the option is done
    uint64_t answer_ = never, value_ = 0;

    bool wants_ = false; ///< the option's request is up
    Burst burst_;
    uint64_t raised_ = 0;        ///< the edge at which it rose
    uint64_t requestAt_ = never; ///< the tick in which memory is asked
    bool conflicts_ = false;     ///< the access has given way, to one burst
    bool retries_ = false;       ///< it need not another time
    bool after_ = false;         ///< the last on the bus was a burst
    bool posted_ = false;        ///< written data are under way
    uint64_t acknowledged_ = 0;  ///< the edge at which it got the bus
    uint64_t posts_ = 0;         ///< from here on the line stands still for them
    uint64_t ends_ = 0;          ///< the edge at which it is seen that no longword comes any more
    uint64_t written_ = 0;       ///< from here on they are in memory
    uint64_t settles_ = 0;       ///< from here on the line may change
    bool still(uint64_t tick) const { return (posted_ && tick >= posts_) || tick < settles_; }
    bool line_ = false, driven_ = false;
    Burst writing_;
};

} // namespace mcpi::exact
