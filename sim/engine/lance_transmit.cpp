// SPDX-License-Identifier: BSD-2-Clause
// The transmit ring and the wire's sending side.
#include <algorithm>

#include "base/error.h"
#include "lance.h"

namespace mcpi::exact {
namespace {

using namespace lance_model;

constexpr uint64_t toRoom = 2;   // from a byte's leaving the silo to the request for its place
constexpr uint64_t toStatus = 3; // from the last bit to the status word, and heartbeat and status
constexpr unsigned burstBytes = 16, spacingNibbles = 24;

} // namespace

void Lance::transmitDone(uint64_t tick) {
    const uint64_t next = tick + 1;
    const Ownership &o = master_.last();
    Ownership more;
    switch (send_) {
    case Step::flags:
        out_.flags = o.word();
        if (!(out_.flags & OWN)) {
            send_ = Step::idle;
            if (asked_)
                look(next, User::transmit);
            return;
        }
        if (!(out_.flags & STP) || !(out_.flags & ENP))
            throw RunError("a frame in several buffers: the exact engine does not have it yet.");
        send_ = Step::low;
        more.address = tx_.descriptor();
        master_.request(User::transmit, next, more);
        break;
    case Step::low:
        out_.address = o.word() | (out_.flags & 0xFF) << 16;
        send_ = Step::count;
        more.address = tx_.descriptor() + 4;
        master_.request(User::transmit, next, more);
        break;
    case Step::count:
        out_.left = 4096 - (o.word() & 0xFFF);
        outgoing_.clear();
        inSilo_ = 0;
        firstBit_ = never;
        send_ = Step::setup;
        sendAt_ = next + t_.setup;
        break;
    case Step::burst:
        outgoing_.insert(outgoing_.end(), o.data.begin(), o.data.begin() + o.bytes);
        inSilo_ += o.bytes;
        out_.left -= o.bytes;
        out_.address += o.bytes;
        if (firstBit_ == never && (inSilo_ >= t_.threshold || !out_.left)) {
            firstBit_ = tick + t_.start;
            if (lastBit_)
                firstBit_ = std::max(firstBit_, lastBit_ + spacingNibbles * t_.nibble);
            strobe_ = firstBit_;
            nibble_ = 0;
        }
        send_ = Step::ready;
        transmitStep(next);
        break;
    case Step::writing3:
        more.address = tx_.descriptor() + 2;
        break;
    case Step::writing1:
        raised_[2] = next + t_.interrupt;
        tx_.advance();
        look(next, User::transmit);
        break;
    default:
        break;
    }
}

/// A step that goes on by itself, in `tick`.
void Lance::transmitStep(uint64_t tick) {
    Ownership o;
    switch (send_) {
    case Step::setup:
        send_ = Step::ready;
        [[fallthrough]];
    case Step::ready:
        if (!out_.left) {
            send_ = Step::wire;
            return;
        }
        o.burst = true;
        o.address = out_.address;
        o.bytes = std::min<unsigned>(burstBytes - out_.address % burstBytes, out_.left);
        if (inSilo_ + burstBytes > t_.silo)
            return; // until the wire has taken some
        send_ = Step::burst;
        master_.request(User::transmit, tick, o);
        break;
    case Step::status:
        o.write = true;
        o.address = tx_.descriptor() + 2;
        o.data[0] = static_cast<uint8_t>(out_.flags);
        o.data[1] = static_cast<uint8_t>((out_.flags & (STP | ENP)) >> 8);
        send_ = Step::writing1;
        master_.request(User::transmit, tick, o);
        break;
    default:
        break;
    }
}

void Lance::sendNibble(uint64_t tick, Port &wire) {
    if (nibble_ == 0)
        crc_ = ~0u;
    const std::size_t n = nibble_++;
    strobe_ = tick + t_.nibble;
    // A byte leaves the silo a nibble before it is sent.
    if (n + 1 >= preambleNibbles && (n + 1 - preambleNibbles) % 2 == 0) {
        const std::size_t byte = (n + 1 - preambleNibbles) / 2;
        if (byte < outgoing_.size()) {
            --inSilo_;
            if (send_ == Step::ready && out_.left && sendAt_ == never)
                sendAt_ = tick + toRoom;
        } else if (out_.left) {
            throw RunError("UFLO: the exact engine does not have it yet.");
        }
    }
    uint8_t data = 5;
    if (n == preambleNibbles - 1) {
        data = 0xD;
    } else if (n >= preambleNibbles) {
        const std::size_t at = n - preambleNibbles, byte = at / 2;
        if (byte == outgoing_.size() && at % 2 == 0 && !out_.left && send_ != Step::status) {
            // all data are out: the FCS
        }
        if (byte < outgoing_.size()) {
            data = outgoing_[byte] >> at % 2 * 4 & 15;
            for (unsigned k = 0; k < 4; ++k) {
                const uint32_t bit = (crc_ ^ data >> k) & 1;
                crc_ = crc_ >> 1 ^ (bit ? 0xEDB88320 : 0);
            }
        } else if (byte < outgoing_.size() + 4) {
            data = ~crc_ >> (at - 2 * outgoing_.size()) * 4 & 15;
        } else {
            wire.send(tick, 0, false, false);
            sent(tick);
            return;
        }
    }
    wire.send(tick, data, true, false);
}

void Lance::sent(uint64_t tick) {
    strobe_ = never;
    lastBit_ = tick;
    if (send_ == Step::idle)
        return; // stopped
    send_ = Step::status;
    sendAt_ = tick + toStatus + t_.heartbeat + t_.status;
    if (outgoing_.size() + 4 > 1518)
        throw RunError("BABL: the exact engine does not have it yet.");
    if (!t_.sqeTest)
        throw RunError("CERR: the exact engine does not have it yet.");
}

} // namespace mcpi::exact
