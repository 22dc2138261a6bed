// SPDX-License-Identifier: BSD-2-Clause
#include "bus_master.h"

#include <algorithm>

namespace mcpi::exact {
namespace {

constexpr uint64_t patience = 4480; // without READY: 25.6 us

unsigned words(const Ownership &o) {
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

unsigned BusMaster::left(uint64_t tick) const {
    if (owner_ == User::none || !now_.write || !now_.burst)
        return 0;
    const uint64_t begun = began_ + t_.arbitration;
    const uint64_t gone = tick > begun ? (tick - begun) / t_.word : 0;
    return gone >= words(now_) ? 0 : now_.bytes - 2 * static_cast<unsigned>(gone);
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

User BusMaster::at(uint64_t tick, TcHost &bus, const Window &window) {
    User done = User::none;
    if (handOver_ == tick) {
        handOver_ = never;
        if (window.on) {
            busy_ = true;
            bus.request(tick, burst(window));
        }
    }
    if (givesUp_ == tick) {
        givesUp_ = handOver_ = over_ = never;
        free_ = tick + 1;
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
                begin(tick, static_cast<User>(i), bus, window);
                break;
            }
    return done;
}

Burst BusMaster::burst(const Window &window) {
    Burst b;
    b.write = now_.write;
    if (now_.burst) {
        const uint64_t first = window.byte(now_.address);
        b.address = first & ~uint64_t{3};
        b.longwords = static_cast<unsigned>((first % 4 + now_.bytes + 3) / 4);
        if (now_.write) { // what is left of the last longword is as in the burst before
            for (unsigned i = 0; i < now_.bytes; ++i)
                buffer_[(first % 16 + i) ^ now_.swaps] = now_.data[i];
            b.data = buffer_;
        }
    } else {
        b.address = window.word(now_.address) & ~uint64_t{3};
        if (now_.write) {
            std::copy_n(now_.data.begin(), 2, b.data.begin() + b.address % 16);
            buffer_[0] = now_.data[0];
            buffer_[1] = now_.data[1];
            buffer_[2] = buffer_[3] = 0;
        }
    }
    return b;
}

void BusMaster::begin(uint64_t tick, User user, TcHost &bus, const Window &window) {
    owner_ = user;
    now_ = waiting_[index(user)].what;
    waiting_[index(user)].from = never;
    began_ = tick;
    givesUp_ = tick + patience;
    if (now_.write) {
        handOver_ = tick + t_.arbitration + words(now_) * t_.word;
        gapEnds_ = handOver_ + t_.gap;
    } else if (window.on) {
        busy_ = true;
        bus.request(tick, burst(window));
    }
}

uint64_t BusMaster::burstDone(uint64_t tick, const Burst &b, bool failed) {
    busy_ = false;
    if (owner_ == User::none || failed)
        return never;
    givesUp_ = never;
    if (now_.write) {
        over_ = std::max(tick, gapEnds_);
        return never;
    }
    const uint64_t from = std::max(began_ + t_.arbitration, tick);
    over_ = from + words(now_) * t_.word + t_.gap;
    const unsigned at = static_cast<unsigned>(now_.burst ? now_.address % 16 : b.address % 16);
    for (unsigned i = 0; i < (now_.burst ? now_.bytes : 2); ++i)
        now_.data[i] = b.data[(at + i) ^ now_.swaps];
    const std::size_t first = b.address % 16;
    std::copy_n(b.data.begin() + first, 4 * b.longwords,
                buffer_.begin() + (now_.burst ? first : 0));
    return from;
}

} // namespace mcpi::exact
