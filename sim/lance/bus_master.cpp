// SPDX-License-Identifier: BSD-2-Clause
#include "bus_master.h"

#include <algorithm>

namespace mcpi::exact {
namespace {

constexpr uint64_t patience = 4480; // without READY: 25.6 us

/// When the chip gives up what waits for READY from `tick` on.
uint64_t lastFor(uint64_t tick) {
    return tick + patience;
}

unsigned count(const Ownership &o) {
    return o.burst ? (o.bytes + 1) / 2 : 1;
}

} // namespace

void BusMaster::request(User user, uint64_t tick, const Ownership &what) {
    waiting_[index(user)] = {tick, what};
}

User BusMaster::halt(uint64_t tick, const Ownership &what, LanceMemory &memory) {
    const User done = over_ == tick ? owner_ : User::none;
    for (auto &w : waiting_)
        w.from = never;
    if (handOver_ != never)
        memory.holds(now_, now_.bytes - left(tick));
    handOver_ = over_ = givesUp_ = moveAt_ = never;
    barred_ = false;
    owner_ = User::none;
    free_ = tick + 1;
    if (failed_)
        idle_ = tick + 1;
    failed_ = false;
    if (idle_ > tick) {
        letGo_ = true;
        memory.letGo(tick, what);
    }
    return done;
}

unsigned BusMaster::left(uint64_t tick) const {
    if (owner_ == User::none || !now_.write || !now_.burst)
        return 0;
    const uint64_t begun = began_ + t_.arbitration;
    const uint64_t moving = tick > begun ? tick - begun : 0;
    const uint64_t gone = 2 * (moving / t_.word) + ((moving + 1) % t_.word == 0);
    return now_.bytes - static_cast<unsigned>(std::min<uint64_t>(gone, now_.bytes));
}

uint64_t BusMaster::next() const {
    if (owner_ != User::none)
        return std::min({handOver_, over_, givesUp_, moveAt_});
    uint64_t first = never;
    for (const auto &w : waiting_)
        if (w.from != never)
            first = std::min(first, std::max(w.from, free_));
    return first;
}

LanceStep BusMaster::lasted(uint64_t tick) const {
    return {LanceStep::ownership(now_.burst, now_.write), began_, tick + 1, moves_, moved_};
}

User BusMaster::at(uint64_t tick, LanceMemory &memory) {
    User done = User::none;
    if (handOver_ == tick) {
        handOver_ = never;
        givesUp_ = lastFor(tick);
        moveAt_ = moves_ = tick;
        memory.holds(now_, now_.bytes);
    }
    if (givesUp(tick))
        return User::error;
    if (moveAt_ == tick)
        move(tick, memory);
    if (over_ == tick) {
        over_ = never;
        free_ = tick + 1;
        done = owner_;
        owner_ = User::none;
    }
    if (owner_ == User::none && done == User::none && free_ <= tick)
        for (std::size_t i = 0; i < waiting_.size(); ++i)
            if (waiting_[i].from <= tick) {
                begin(tick, static_cast<User>(i), memory);
                break;
            }
    return done;
}

void BusMaster::begin(uint64_t tick, User user, LanceMemory &memory) {
    owner_ = user;
    if (letGo_)
        memory.letGo(tick, waiting_[index(user)].what);
    now_ = waiting_[index(user)].what;
    moves_ = tick;
    waiting_[index(user)].from = never;
    began_ = tick;
    if (now_.write) {
        handOver_ = tick + t_.arbitration + count(now_) * t_.word;
        gapEnds_ = handOver_ + t_.gap;
    } else {
        givesUp_ = lastFor(tick);
        move(tick, memory);
    }
}

/// Memory is asked, as soon as what was let go is over.
void BusMaster::move(uint64_t tick, LanceMemory &memory) {
    moveAt_ = never;
    if (idle_ > tick) {
        moveAt_ = idle_;
        return;
    }
    letGo_ = false;
    barred_ = !memory.move(tick, now_);
    if (!barred_)
        idle_ = never;
}

void BusMaster::moved(uint64_t tick, bool failed) {
    idle_ = tick;
    if (letGo_) {
        letGo_ = false;
        const bool asks = owner_ != User::none && handOver_ == never;
        failed_ = failed && asks;
        if (failed_)
            idle_ = never;
        else if (asks)
            moveAt_ = tick;
        return;
    }
    failed_ = failed;
    if (failed || givesUp_ < tick) {
        idle_ = failed ? never : tick;
        return;
    }
    givesUp_ = never;
    moved_ = tick;
    if (now_.write) {
        over_ = std::max(tick, gapEnds_);
        return;
    }
    words_ = std::max(began_ + t_.arbitration, tick);
    over_ = *words_ + count(now_) * t_.word + t_.gap;
}

} // namespace mcpi::exact
