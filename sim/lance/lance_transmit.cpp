// SPDX-License-Identifier: BSD-2-Clause
// The transmit ring.
#include <algorithm>

#include "lance.h"

namespace mcpi::exact {
namespace {

using namespace am7990;

constexpr uint64_t toRoom = 2;   // from a byte's leaving the silo to the request for its place
constexpr uint64_t toBabble = 1; // from the second nibble of byte 1519
constexpr uint64_t toOver = 2;   // from the last bit to the ring
constexpr uint64_t toNext = 1;   // from there to the first burst again, or to heartbeat and status
constexpr unsigned longest = 1518;

} // namespace

/// The ring lies still in `tick`, until there is a poll or a demand.
void Lance::transmitIdle(uint64_t tick) {
    const uint64_t wanted = std::min(dueOut_, demand_);
    if (csr_[0] & TXON && wanted != never)
        sendAt_ = std::min(sendAt_, std::max(tick, wanted));
}

/// The bytes of a burst come into the silo word by word.
void Lance::fill() {
    const auto from = master_.words();
    if (!from || send_ != Step::burst || master_.owner() != User::transmit)
        return;
    const Ownership &o = master_.last();
    for (unsigned i = 0; i < o.bytes; ++i)
        silo_.push(o.data[i], *from + (i / 2 + 1) * master_.wordTicks());
}

void Lance::transmitDone(uint64_t tick) {
    const uint64_t next = tick + 1;
    const Ownership &o = master_.last();
    const uint32_t descriptor = tx_.descriptor();
    switch (send_) {
    case Step::flags:
        out_.flags = o.word();
        if (!(out_.flags & OWN)) {
            send_ = Step::idle;
            transmitIdle(next);
            return;
        }
        if (!(out_.flags & STP)) {
            send_ = Step::skip;
            give(User::transmit, next, descriptor + 2, out_.flags & 0x7FFF);
            return;
        }
        addFcs_ = !(mode_ & DTCR) || (t_.cLance && out_.flags & ADD_FCS);
        collisions_ = 0;
        kept_ = true;
        known_ = again_ = ended_ = retry_ = retries_ = false;
        silo_ = {};
        going_ = false;
        send_ = Step::low;
        requestWord(User::transmit, next, descriptor);
        break;
    case Step::skip:
        tx_.advance();
        send_ = Step::flags;
        requestWord(User::transmit, next, tx_.descriptor() + 2);
        break;
    case Step::low:
        out_.address = o.word() | (out_.flags & 0xFF) << 16;
        send_ = Step::count;
        requestWord(User::transmit, next, descriptor + 4);
        break;
    case Step::count:
        out_.left = 4096 - (o.word() & 0xFFF);
        if (kept_)
            first_ = out_;
        if (ended_)
            return transmitStatus(next + 2);
        send_ = Step::setup;
        if (kept_)
            sendAt_ = next + t_.setup;
        else
            transmitStep(next);
        break;
    case Step::burst:
        silo_.whole = !out_.left && out_.flags & ENP;
        if (out_.left || silo_.whole) { // else the look-ahead comes first
            if (ended_)
                return transmitStatus(next + (silo_.whole ? 1 : 2));
            if (again_)
                return transmitAgain(next + 1);
        }
        transmitGoes(tick);
        send_ = Step::ready;
        transmitStep(next);
        break;
    case Step::ahead:
        if (ended_)
            return transmitStatus(next + 1);
        if (again_)
            return transmitAgain(next + 1);
        nextFlags_ = o.word();
        known_ = nextFlags_ & OWN && tx_.size > 1;
        if (known_) {
            send_ = Step::keeps;
            sendAt_ = next;
        } else {
            silo_.cutOff = true;
            send_ = Step::wire;
            transmitGoes(tick);
        }
        break;
    case Step::release:
        known_ = kept_ = false;
        tx_.advance();
        out_.flags = nextFlags_;
        send_ = Step::low;
        requestWord(User::transmit, next, tx_.descriptor());
        break;
    case Step::writing3:
        send_ = Step::writing1;
        transmitOver(next);
        break;
    case Step::writing1:
        raised_[tint] = tick + t_.interrupt;
        tx_.advance();
        send_ = Step::idle;
        if (transmitError() & UFLO)
            csr_[0] &= ~TXON;
        else
            look(tick, User::transmit);
        if (!(csr_[0] & (RXON | TXON)))
            poll_ = never;
        break;
    default:
        break;
    }
}

/// The frame may begin when the silo has enough, or all there is.
void Lance::transmitGoes(uint64_t tick) {
    const bool enough = silo_.count() >= t_.threshold || silo_.whole || silo_.cutOff;
    if (going_ || (!enough && send_ != Step::ready))
        return;
    going_ = true;
    Sending how;
    how.fcs = addFcs_;
    how.inside = inside();
    how.collides = inside() && mode_ & COLL;
    wireOut_.go(tick + t_.start, how);
}

/// A step that goes on by itself, in `tick`.
void Lance::transmitStep(uint64_t tick) {
    switch (send_) {
    case Step::idle:
        look(tick, User::transmit);
        break;
    case Step::setup:
        send_ = Step::ready;
        [[fallthrough]];
    case Step::ready:
        if (!out_.left) {
            if (out_.flags & ENP) {
                send_ = Step::wire;
            } else {
                send_ = Step::ahead;
                requestWord(User::transmit, tick, tx_.following() + 2);
            }
            return;
        }
        if (silo_.count() + burstBytes > t_.silo) { // until the wire has taken some
            transmitGoes(tick);
            return;
        }
        if (tick < roomAt_ && silo_.count() + burstBytes == t_.silo) {
            sendAt_ = roomAt_;
            return;
        }
        send_ = Step::burst;
        master_.request(User::transmit, tick, burstOf(out_, wantedOf(out_)));
        break;
    case Step::keeps:
        if (going_ && wireOut_.mayCollide(tick) && silo_.count() + (tick < roomAt_) >= burstBytes) {
            if (tick < wireOut_.slotOver())
                sendAt_ = wireOut_.slotOver();
            if (silo_.count() < burstBytes)
                sendAt_ = std::min(sendAt_, roomAt_);
            return;
        }
        send_ = Step::release;
        give(User::transmit, tick, tx_.descriptor() + 2, out_.flags & 0x7FFF);
        break;
    case Step::status:
        transmitOver(tick);
        break;
    default:
        break;
    }
}

/// The wire has ended the frame, and the ring is at nothing else: its status is due in `tick`.
void Lance::transmitStatus(uint64_t tick) {
    send_ = Step::status;
    sendAt_ = tick + t_.heartbeat + t_.status;
}

/// TMD3 of the frame.
unsigned Lance::transmitError() const {
    unsigned error = sent_.lost ? +LCAR : 0;
    if (sent_.dry || sent_.cutOff)
        error |= UFLO | (out_.flags & ENP || known_ ? 0 : +BUFF);
    if (sent_.late)
        error |= LCOL;
    if (retries_)
        error |= RTRY;
    return error | (error ? sent_.position * 4 : 0);
}

/// Write the frame's result into the descriptor.
void Lance::transmitOver(uint64_t tick) {
    const unsigned error = transmitError();
    if (error && send_ == Step::status) {
        send_ = Step::writing3;
        give(User::transmit, tick, tx_.descriptor() + 6, error);
        return;
    }
    unsigned status = out_.flags & (STP | ENP | 0xFF);
    status |= error ? +FAILED : 0;
    if (collisions_ && !(error & (LCOL | RTRY)))
        status |= collisions_ == 1 ? ONE : MORE;
    status |= sent_.deferred ? +DEF : 0;
    send_ = Step::writing1;
    give(User::transmit, tick, tx_.descriptor() + 2, status);
}

/// The attempt has collided: the silo is filled again from the first buffer.
void Lance::transmitAgain(uint64_t tick) {
    out_ = first_;
    silo_ = {};
    going_ = again_ = known_ = false;
    send_ = Step::ready;
    sendAt_ = tick;
}

/// The ring sees that the attempt is off the wire: the frame is, or begins again.
void Lance::transmitEnded(uint64_t tick) {
    const bool again = retry_, waits = send_ != Step::wire;
    overAt_ = never;
    retry_ = false;
    if (!between())
        (again ? again_ : ended_) = true;
    else if (again)
        transmitAgain(tick + toNext);
    else
        transmitStatus(tick + toNext + waits);
}

void Lance::sends(uint64_t tick, Port &wire) {
    Pins inside;
    const bool fits = wireOut_.sent().bytes <= longest;
    const TransmitWire::WireEvent event = wireOut_.at(tick, silo_, wire, inside);
    if (fits && wireOut_.sent().bytes > longest)
        raised_[babl] = tick + toBabble;
    transmitEvent(tick, event);
    if (turnsTo_ != inside_ && turnsAt_ == never && !wireOut_.sending())
        turns(tick, turnsTo_);
    if (inside.strobe)
        receiveEvent(tick, wireIn_.hears(tick, inside.nibble, filter_, leaving(tick)));
}

void Lance::transmitEvent(uint64_t tick, TransmitWire::WireEvent event) {
    switch (event) {
    case TransmitWire::WireEvent::room:
        roomAt_ = tick + toRoom;
        if (send_ == Step::ready && out_.left && sendAt_ == never)
            sendAt_ = roomAt_;
        if (send_ == Step::keeps)
            sendAt_ = std::min(sendAt_, roomAt_);
        break;
    case TransmitWire::WireEvent::collided:
        if (send_ == Step::idle)
            return; // stopped
        if (!(mode_ & DRTY) && collisions_ + 1 < attempts && keepsFirst()) {
            wireOut_.again(tick, ++collisions_);
            retry_ = true;
            overAt_ = tick + toOver;
            return;
        }
        retries_ = true;
        [[fallthrough]];
    case TransmitWire::WireEvent::over:
        if (send_ == Step::idle)
            return; // stopped
        sent_ = wireOut_.sent();
        wireOut_.done();
        if (heartbeat_ && !t_.sqeTest && !inside() && !sent_.late && !retries_)
            raised_[cerr] = tick + toOver + t_.heartbeat;
        overAt_ = tick + toOver;
        break;
    default:
        break;
    }
}

} // namespace mcpi::exact
