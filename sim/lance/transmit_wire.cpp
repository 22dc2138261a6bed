// SPDX-License-Identifier: BSD-2-Clause
#include "transmit_wire.h"

#include <algorithm>

#include "registers.h"

namespace mcpi::exact {
namespace {

using am7990::jamNibbles;
using am7990::preambleNibbles;
using am7990::slotNibbles;

constexpr unsigned unknown = ~0u;
constexpr uint64_t mostNibbles = 255; // TDR stands still then

} // namespace

void TransmitWire::go(uint64_t tick, const Sending &how) {
    how_ = how;
    const bool deferred = sent_.deferred;
    sent_ = {};
    sent_.deferred = deferred;
    stage_ = Stage::waits;
    ready_ = tick;
    plan(tick);
}

/// The tick of the first bit, as far as it is known.
void TransmitWire::plan(uint64_t tick) {
    if (stage_ == Stage::waits)
        at_ = deferral_.free(tick, std::max(ready_, backoff_.over()));
}

void TransmitWire::stop() {
    backoff_.forget();
    sent_.deferred = false; // so is what the frame had to wait for
    if (sending()) {
        stage_ = Stage::frame;
        hit_ = false;
        cut_ = true;
        end_ = std::min(end_, n_); // the nibble under way is the last
    } else {
        stage_ = Stage::idle;
        at_ = never;
    }
}

void TransmitWire::sees(uint64_t tick, const Pins &pins) {
    if (!half_)
        return;
    if (pins.collision && stage_ == Stage::frame && !hit_ && !cut_ && !inside_) {
        hit_ = true;
        hitAt_ = tick;
        sent_.position =
            static_cast<unsigned>(std::min<uint64_t>((tick - 1 - first_) / nibble_, mostNibbles));
    }
    pin_ = pins.carrier;
    hears(tick, pin_ && !inside_);
}

void TransmitWire::setInside(uint64_t tick, bool inside) {
    inside_ = inside;
    hears(tick, pin_ && !inside);
}

/// The carrier, in a tick in which it may change.
void TransmitWire::hears(uint64_t tick, bool carrier) {
    if (carrier == carrier_)
        return;
    carrier_ = carrier;
    if (carrier)
        rose_ = tick;
    if (sending())
        return;
    if (!carrier && stage_ == Stage::waits && tick >= ready_)
        sent_.deferred = true;
    if (tick == at_)
        return; // the frame begins whatever comes or goes in this tick
    deferral_.carrier(tick, carrier);
    if (emba_)
        backoff_.hold(tick, carrier);
    plan(tick);
}

/// The next byte out of the silo; false: there is none.
bool TransmitWire::fetch(uint64_t tick, SendSilo &silo) {
    if (silo.ready(tick)) {
        next_ = silo.pop();
        data_ += 2;
        return true;
    }
    if (silo.whole)
        end_ = n_ + 1 + (how_.fcs ? 8 : 0);
    else
        end_ = n_ + 1;
    sent_.cutOff = !silo.whole && silo.cutOff;
    sent_.dry = !silo.whole && !silo.cutOff;
    return false;
}

void TransmitWire::put(uint64_t tick, uint8_t data, bool enable, Port &port, Pins &inside) {
    backoff_.step();
    if (!how_.inside) {
        port.send(tick, data, enable, false);
        return;
    }
    inside.strobe = true;
    inside.nibble = {data, enable, false};
}

TransmitWire::WireEvent TransmitWire::end(uint64_t tick) {
    stage_ = Stage::idle;
    at_ = never;
    ended_ = tick;
    deferral_.sent(tick, carrier_);
    return hit_ && !sent_.late ? WireEvent::collided : WireEvent::over;
}

TransmitWire::WireEvent TransmitWire::at(uint64_t tick, SendSilo &silo, Port &port, Pins &inside) {
    if (stage_ == Stage::waits) {
        stage_ = Stage::frame;
        sent_.deferred = sent_.deferred || (carrier_ && rose_ < tick);
        first_ = tick;
        n_ = data_ = 0;
        end_ = unknown;
        crc_ = ~0u;
        hit_ = how_.collides;
        cut_ = false;
        hitAt_ = tick;
        sent_.position = 0;
    }
    at_ = tick + nibble_;
    const bool hit = hit_ && hitAt_ < tick; // in its own tick a nibble is not jam yet
    if (stage_ == Stage::frame && hit && n_ >= preambleNibbles) {
        stage_ = Stage::jam;
        sent_.late = sent_.position >= slotNibbles;
        end_ = n_ + jamNibbles;
    }
    if (n_ == end_) {
        put(tick, 0, false, port, inside);
        return end(tick);
    }
    uint8_t data = n_ + 1 == preambleNibbles ? 0xD : 5;
    WireEvent event = WireEvent::nothing;
    if (stage_ == Stage::jam) {
        data = 15;
    } else if (n_ >= preambleNibbles) {
        const unsigned at = n_ - preambleNibbles;
        if (at < data_) {
            if (at % 2 == 0)
                byte_ = next_;
            data = byte_ >> at % 2 * 4 & 15;
            for (unsigned k = 0; k < 4; ++k)
                crc_ = crc_ >> 1 ^ ((crc_ ^ data >> k) & 1 ? 0xEDB88320 : 0);
        } else {
            data = ~crc_ >> (at - data_) * 4 & 15;
        }
    }
    // A byte leaves the silo a nibble before it is sent.
    if (stage_ == Stage::frame && !hit && end_ == unknown && n_ + 1 >= preambleNibbles &&
        (n_ + 1 - preambleNibbles) % 2 == 0 && fetch(tick, silo))
        event = WireEvent::room;
    if (n_ >= preambleNibbles && stage_ == Stage::frame) {
        sent_.lost = sent_.lost || (half_ && !inside_ && !carrier_);
        sent_.bytes = (n_ + 1 - preambleNibbles) / 2;
    }
    ++n_;
    put(tick, data, true, port, inside);
    return event;
}

} // namespace mcpi::exact
