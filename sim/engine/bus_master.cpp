// SPDX-License-Identifier: BSD-2-Clause
#include "bus_master.h"

#include <algorithm>

namespace mcpi::exact {
namespace {

constexpr uint64_t patience = 4480; // without READY: 25.6 us

unsigned count(const Ownership &o) {
    return o.burst ? (o.bytes + 1) / 2 : 1;
}

} // namespace

void BusMaster::request(User user, uint64_t tick, const Ownership &what) {
    waiting_[index(user)] = {tick, what};
}

void BusMaster::forget() {
    for (auto &w : waiting_)
        w.from = never;
}

void BusMaster::redirect(uint64_t tick, const Ownership &what, LanceMemory &memory) {
    if (owner_ == User::none)
        return;
    if (!now_.write) {
        memory.redirect(tick, what);
    } else if (handOver_ != never) {
        over_ = gapEnds_;
        handOver_ = never;
    }
}

unsigned BusMaster::left(uint64_t tick) const {
    if (owner_ == User::none || !now_.write || !now_.burst)
        return 0;
    const uint64_t begun = began_ + t_.arbitration;
    const uint64_t gone = tick > begun ? (tick - begun) / t_.word : 0;
    return gone >= count(now_) ? 0 : now_.bytes - 2 * static_cast<unsigned>(gone);
}

uint64_t BusMaster::next() const {
    if (owner_ != User::none)
        return std::min({handOver_, over_, givesUp_});
    uint64_t first = never;
    if (busy_)
        return first;
    for (const auto &w : waiting_)
        if (w.from != never)
            first = std::min(first, std::max(w.from, free_));
    return first;
}

User BusMaster::at(uint64_t tick, LanceMemory &memory) {
    User done = User::none;
    if (handOver_ == tick) {
        handOver_ = never;
        givesUp_ = tick + patience;
        move(tick, memory);
    }
    if (givesUp_ == tick) {
        givesUp_ = handOver_ = over_ = never;
        free_ = tick + 2;
        owner_ = User::none;
        return User::error;
    }
    if (over_ == tick) {
        givesUp_ = never;
        over_ = never;
        free_ = tick + 1;
        done = owner_;
        owner_ = User::none;
    }
    if (owner_ == User::none && done == User::none && free_ <= tick && !busy_)
        for (std::size_t i = 0; i < waiting_.size(); ++i)
            if (waiting_[i].from <= tick) {
                begin(tick, static_cast<User>(i), memory);
                break;
            }
    return done;
}

void BusMaster::begin(uint64_t tick, User user, LanceMemory &memory) {
    owner_ = user;
    now_ = waiting_[index(user)].what;
    waiting_[index(user)].from = never;
    began_ = tick;
    if (!now_.write) {
        givesUp_ = tick + patience;
        return move(tick, memory);
    }
    handOver_ = tick + t_.arbitration + count(now_) * t_.word;
    gapEnds_ = handOver_ + t_.gap;
}

void BusMaster::move(uint64_t tick, LanceMemory &memory) {
    const auto done = memory.move(tick, now_);
    busy_ = done == never;
    if (done && !busy_)
        moved(*done, false);
}

void BusMaster::moved(uint64_t tick, bool failed) {
    busy_ = false;
    if (owner_ == User::none || failed)
        return;
    givesUp_ = never;
    if (now_.write) {
        over_ = std::max(tick, gapEnds_);
        return;
    }
    words_ = std::max(began_ + t_.arbitration, tick);
    over_ = *words_ + count(now_) * t_.word + t_.gap;
}

} // namespace mcpi::exact
