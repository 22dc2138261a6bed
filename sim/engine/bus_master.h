// SPDX-License-Identifier: BSD-2-Clause
// The LANCE as bus master: one ownership at a time, arbitration + words x word + gap. What the
// TURBOchannel takes runs inside arbitration (reads) or gap (writes); what exceeds it is added.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "turbochannel.h"

namespace mcpi::exact {

/// Whose request goes first when several wait.
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
    /// Begins in `tick`. The tick from which on it has moved, what was read is in `what` then;
    /// `never`: that is told by `moved`; nothing: no READY comes.
    virtual std::optional<uint64_t> move(uint64_t tick, Ownership &what) = 0;
    /// The chip has stopped: what it has begun to read becomes this, if it is not too late.
    virtual void redirect(uint64_t tick, const Ownership &what) = 0;
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
    /// What is under way has moved, or will have in `tick`; `failed`: there is no READY.
    void moved(uint64_t tick, bool failed);
    /// Told once: the tick from which on the chip gets the words that were read.
    std::optional<uint64_t> words() { return std::exchange(words_, std::nullopt); }
    Ownership &now() { return now_; }
    User owner() const { return owner_; }
    /// Bytes of a burst into memory that the chip still has: they go word by word.
    unsigned left(uint64_t tick) const;
    uint64_t wordTicks() const { return t_.word; }
    void forget(); ///< those that wait
    /// A read goes on with this in its place; a write that memory has not got yet is no more.
    void redirect(uint64_t tick, const Ownership &what, LanceMemory &memory);

    uint64_t next() const;
    /// Whose ownership is over with this tick; its result is `last()`. `error`: READY stays away.
    User at(uint64_t tick, LanceMemory &memory);
    const Ownership &last() const { return now_; }

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
    std::optional<uint64_t> words_;
    bool busy_ = false; ///< something is under way, its owner may have given up
};

} // namespace mcpi::exact
