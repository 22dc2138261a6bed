// SPDX-License-Identifier: BSD-2-Clause
// The LANCE as bus master: one ownership at a time, arbitration + words x word + gap. What the
// TURBOchannel takes runs inside arbitration (reads) or gap (writes); what exceeds it is added.
#pragma once
#include <array>
#include <cstdint>

#include "turbochannel.h"

namespace mcpi::exact {

/// Whose request goes first when several wait.
enum class User { init, receive, transmit, none, error };

/// Where the chip's addresses are in memory: the IOASIC's window.
struct Window {
    uint64_t base = 0;
    bool on = true; ///< the IOASIC lets it on the bus
    uint64_t word(uint32_t a) const { return base + 2 * (a & 0xFFFE); }
    uint64_t byte(uint32_t a) const { return base + ((2 * (a & 0xFFFF)) & ~31u) + (a & 15); }
};

struct Ownership {
    uint32_t address = 0; ///< the chip's
    unsigned bytes = 2;   ///< of a burst
    bool burst = false, write = false;
    bool swaps = false; ///< the bytes of each word
    std::array<uint8_t, 16> data{};
    unsigned word() const { return data[0] | data[1] << 8; }
};

class BusMaster {
  public:
    struct Times {
        uint64_t arbitration, word, gap;
    };
    explicit BusMaster(const Times &times) : t_(times) {}

    /// The user wants the bus from `tick` on.
    void request(User user, uint64_t tick, const Ownership &what);
    /// It waits for the bus no longer; false: it does not, or has it.
    bool withdraw(User user) {
        const bool waits = waiting_[index(user)].from != never;
        waiting_[index(user)].from = never;
        return waits;
    }
    /// Of a read: the tick from which on it gets its words; never: it does not.
    uint64_t burstDone(uint64_t tick, const Burst &burst, bool failed);
    User owner() const { return owner_; }
    /// Bytes of a burst into memory that the chip still has: they go word by word.
    unsigned left(uint64_t tick) const;
    uint64_t wordTicks() const { return t_.word; }
    void forget(); ///< those that wait

    uint64_t next() const;
    /// Whose ownership is over with this tick; its result is `last()`. `error`: READY stays away.
    User at(uint64_t tick, TcHost &bus, const Window &window);
    const Ownership &last() const { return now_; }

  private:
    static std::size_t index(User user) { return static_cast<std::size_t>(user); }
    void begin(uint64_t tick, User user, TcHost &bus, const Window &window);
    Burst burst(const Window &window);

    Times t_;
    struct Waiting {
        uint64_t from = never;
        Ownership what;
    };
    std::array<Waiting, 3> waiting_;
    User owner_ = User::none;
    Ownership now_;
    std::array<uint8_t, 16> buffer_{}; ///< of bursts into memory
    uint64_t began_ = 0;
    uint64_t free_ = 0;         ///< from here on another can begin
    uint64_t handOver_ = never; ///< a write goes to the TURBOchannel
    uint64_t gapEnds_ = never;
    uint64_t over_ = never;
    uint64_t givesUp_ = never;
    bool busy_ = false; ///< a burst is on the TURBOchannel, its owner may have given up
};

} // namespace mcpi::exact
