// SPDX-License-Identifier: BSD-2-Clause
#include "segment.h"

#include <algorithm>
#include <string>

#include "base/error.h"

namespace mcpi {

EtherSegment::EtherSegment(uint64_t nibbleTicks) : nibble_(nibbleTicks) {
    if (nibbleTicks < 2)
        throw UserError("segment: a nibble has two ticks at least.");
}

EtherSegment::EtherSegment(const EtherSegment &other)
    : passed(other.passed), collisions(other.collisions), nibble_(other.nibble_),
      longest_(other.longest_), stations_(other.stations_) {
    for (const auto &signal : other.signals_) {
        signals_.push_back(std::make_shared<Signal>(*signal));
        for (auto &station : stations_)
            if (station.sending == signal)
                station.sending = signals_.back();
    }
}

unsigned EtherSegment::attach(uint64_t place) {
    for (const auto &s : stations_) {
        const uint64_t apart = s.place > place ? s.place - place : place - s.place;
        if (apart == 0)
            throw UserError("segment: two stations at " + std::to_string(place) +
                            "; put them a tick of cable apart at least.");
        longest_ = std::max(longest_, apart);
    }
    Station station;
    station.place = place;
    stations_.push_back(station);
    return static_cast<unsigned>(stations_.size() - 1);
}

uint64_t EtherSegment::delay(unsigned from, unsigned to) const {
    const uint64_t a = stations_[from].place, b = stations_[to].place;
    return from == to ? loopback : a > b ? a - b : b - a;
}

bool EtherSegment::reaches(const Signal &s, unsigned station, uint64_t tick) const {
    const uint64_t d = delay(s.station, station);
    return tick >= s.first + d && (s.end == never || tick < s.end + d);
}

void EtherSegment::send(unsigned station, uint64_t tick, uint8_t nibble, bool enable) {
    auto &mine = stations_.at(station).sending;
    if (enable != (mine != nullptr))
        stations_[station].turned = tick;
    if (!enable) {
        if (!mine)
            return;
        mine->end = tick;
        Attempt attempt;
        attempt.sentFirst = mine->first;
        attempt.sentLast = tick;
        attempt.nibbles = mine->nibbles;
        attempt.error = mine->collided;
        attempt.station = station;
        passed.push_back(std::move(attempt));
        mine = nullptr;
        forget(tick);
        return;
    }
    if (!mine) {
        mine = std::make_shared<Signal>();
        mine->station = station;
        mine->first = tick;
        signals_.push_back(mine);
    } else if (tick != mine->first + nibble_ * mine->nibbles.size()) {
        throw RunError("segment: station " + std::to_string(station) +
                       " sends nibbles that are not evenly spaced.");
    }
    mine->nibbles.push_back(nibble & 15);
}

/// Forget signals that nobody can see any more. The station asked last may be the furthest behind.
void EtherSegment::forget(uint64_t tick) {
    const uint64_t reach = 2 * std::max(longest_, loopback) + 2 * nibble_;
    signals_.erase(
        std::remove_if(signals_.begin(), signals_.end(),
                       [=](const auto &s) { return s->end != never && s->end + reach < tick; }),
        signals_.end());
}

uint64_t EtherSegment::since() const {
    uint64_t first = never;
    for (const Station &station : stations_)
        if (station.sending)
            first = std::min(first, station.sending->first);
    return first;
}

Pins EtherSegment::at(unsigned station, uint64_t tick) {
    Station &me = stations_.at(station);
    Pins pins;
    unsigned others = 0;
    uint64_t since = never;
    for (const auto &s : signals_) {
        if (!reaches(*s, station, tick))
            continue;
        pins.carrier = true;
        since = std::min(since, arrivalAt(*s, station));
        others += s->station != station;
    }
    const bool own = me.sending && tick >= me.sending->first;
    pins.collision = own ? others > 0 : others > 1;
    if (own && pins.collision) {
        if (!me.collides)
            ++collisions;
        me.sending->collided = true;
        for (const auto &s : signals_) // whoever is heard here is spoilt here
            if (reaches(*s, station, tick))
                s->collided = true;
    }
    me.collides = own && pins.collision;
    if (me.strobeAt == never && pins.carrier)
        me.strobeAt = since + nibble_;
    if (me.strobeAt != tick)
        return pins;
    pins.strobe = true;
    const uint64_t middle = tick - nibble_ / 2;
    for (const auto &s : signals_) {
        if (!reaches(*s, station, middle))
            continue;
        const uint64_t n = (middle - arrivalAt(*s, station)) / nibble_;
        pins.nibble.valid = true;
        pins.nibble.data ^= n < s->nibbles.size() ? s->nibbles[n] : 0;
    }
    if (pins.nibble.valid)
        me.strobeAt = tick + nibble_;
    else // unless a carrier has come since
        me.strobeAt = pins.carrier ? since + nibble_ : never;
    return pins;
}

uint64_t EtherSegment::next(unsigned station, uint64_t tick) const {
    const Station &me = stations_.at(station);
    uint64_t next = me.strobeAt;
    if (me.turned != never && me.turned >= tick)
        next = std::min(next, me.turned + 1);
    for (const auto &s : signals_) {
        const uint64_t d = delay(s->station, station);
        if (s->first + d > tick)
            next = std::min(next, s->first + d);
        else if (s->end != never && s->end + d > tick)
            next = std::min(next, s->end + d);
    }
    return next;
}

} // namespace mcpi
