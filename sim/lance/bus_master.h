// SPDX-License-Identifier: BSD-2-Clause
// The LANCE as bus master: one ownership at a time, arbitration + words x word + gap. What the
// TURBOchannel takes runs inside arbitration (reads) or gap (writes); what exceeds it is added.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/lance_step.h"
#include "turbochannel.h"

namespace mcpi::exact {

/// Users of the bus, in the order in which their requests go first when several wait.
enum class User { init, receive, transmit, none, error };

struct Ownership {
    uint32_t address = 0; ///< the chip's
    unsigned bytes = 2;   ///< of a burst
    bool burst = false, write = false;
    bool swaps = false; ///< the bytes of each word
    std::array<uint8_t, 16> data{};
    unsigned word() const { return data[0] | data[1] << 8; }
};

/// The wiring: what an ownership moves to or from memory.
class LanceMemory {
  public:
    virtual ~LanceMemory() = default;
    /// Begins in `tick`; `moved` reports the outcome. False: it does not get the bus.
    virtual bool move(uint64_t tick, Ownership &what) = 0;
    /// So many bytes of a burst into memory are out of the chip's silo.
    virtual void holds(const Ownership &what, unsigned bytes) { (void)what, (void)bytes; }
    /// The chip has let go of it: what it reads becomes `what`, what it writes ends from `tick` on,
    /// if it is not too late.
    virtual void letGo(uint64_t tick, const Ownership &what) = 0;
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
    /// The ownership under way has moved, or will have in `tick`; `failed`: there is no READY.
    void moved(uint64_t tick, bool failed);
    /// Told once: the tick from which on the chip gets the words that were read.
    std::optional<uint64_t> words() { return std::exchange(words_, std::nullopt); }
    /// The ownership that memory moves; null: its owner has let go of it.
    Ownership *now() { return letGo_ ? nullptr : &now_; }
    User owner() const { return owner_; }
    /// Bytes of a burst into memory that the chip still has. The two of a word go in its last two
    /// ticks.
    unsigned left(uint64_t tick) const;
    uint64_t wordTicks() const { return t_.word; }
    /// All is forgotten, from `tick` on. What memory has begun it ends, or reads this in its place.
    /// Whose ownership is over in `tick` all the same.
    User halt(uint64_t tick, const Ownership &what, LanceMemory &memory);
    /// The wiring lets the chip on the bus again.
    void admit(uint64_t tick) {
        if (barred_)
            moveAt_ = tick;
        barred_ = false;
    }

    uint64_t next() const;
    /// READY has stayed away, which `at` says in this tick.
    bool givesUp(uint64_t tick) const { return owner_ != User::none && givesUp_ == tick; }
    /// User whose ownership is over with this tick; its result is `last()`. `error`: READY stays
    /// away.
    User at(uint64_t tick, LanceMemory &memory);
    const Ownership &last() const { return now_; }
    /// The ownership that is over with this tick, and when its data moved.
    LanceStep lasted(uint64_t tick) const;

  private:
    static std::size_t index(User user) { return static_cast<std::size_t>(user); }
    void begin(uint64_t tick, User user, LanceMemory &memory);
    void move(uint64_t tick, LanceMemory &memory);

    Times t_;
    struct Waiting {
        uint64_t from = never;
        Ownership what;
    };
    std::array<Waiting, 3> waiting_;
    User owner_ = User::none;
    Ownership now_;
    uint64_t began_ = 0;
    uint64_t free_ = 0;         ///< from here on another can begin
    uint64_t handOver_ = never; ///< a write goes to memory
    uint64_t gapEnds_ = never;
    uint64_t over_ = never;
    uint64_t givesUp_ = never;
    uint64_t moveAt_ = never;        ///< memory is asked
    uint64_t moves_ = 0, moved_ = 0; ///< of the last ownership: memory moves its data
    uint64_t idle_ = 0;   ///< from here on the wiring has nothing under way; `never`: not known
    bool barred_ = false; ///< the wiring does not let the chip on the bus
    bool letGo_ = false;  ///< the owner of what is under way has gone
    bool failed_ = false; ///< no READY comes; the wiring waits until its owner lets go
    std::optional<uint64_t> words_;
};

} // namespace mcpi::exact
