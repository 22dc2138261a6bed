// SPDX-License-Identifier: BSD-2-Clause
// The receive ring.
#include <algorithm>

#include "lance.h"

namespace mcpi::exact {
namespace {

using namespace am7990;

constexpr uint64_t toByte = 2;  // from a byte's last nibble to the ring
constexpr uint64_t toFirst = 2; // from a frame that the ring sees to its first burst
constexpr uint64_t toEnd = 3;   // from the frame's end to the ring
constexpr uint64_t toCrowd = 2; // from the address's last nibble to MISS, with no room for its end
constexpr unsigned shortest = 64;

} // namespace

void Lance::receiveEvent(uint64_t tick, ReceiveWire::WireEvent event) {
    using WireEvent = ReceiveWire::WireEvent;
    if (event == WireEvent::nothing)
        return;
    const Incoming &f = wireIn_.frames.back();
    const bool first = &f == &wireIn_.frames.front();
    switch (event) {
    case WireEvent::address:
        if (receive_ == Step::idle)
            receiveIdle(tick + 1);
        [[fallthrough]];
    case WireEvent::byte:
        if (receive_ == Step::ready && first && receiveAt_ == never &&
            f.data.size() - f.taken >= std::max(1u, wantedOf(in_)))
            receiveAt_ = tick + toByte;
        break;
    case WireEvent::ended:
        if (receive_ == Step::idle)
            receiveIdle(tick + 1);
        if ((receive_ == Step::ready || receive_ == Step::lost) && receiveAt_ == never)
            receiveAt_ = receive_ == Step::lost ? drained() : wireIn_.frames.front().seen(toEnd);
        break;
    case WireEvent::crowded:
        raised_[miss] = tick + toCrowd;
        break;
    default:
        break;
    }
}

/// The tick from which on a frame waits for the ring, or is on its way through it. One of which
/// the silo took nothing is seen when the filter takes it, and then at its end.
uint64_t Lance::present(uint64_t tick) const {
    if (wireIn_.frames.empty() || !wireIn_.frames.front().accepted)
        return never;
    const Incoming &f = wireIn_.frames.front();
    if (!f.data.empty() || tick <= f.known)
        return f.known;
    return f.ended == never ? never : f.ended + toEnd;
}

/// The ring has no buffer and lies still in `tick`, until there is a poll or a frame.
void Lance::receiveIdle(uint64_t tick) {
    const uint64_t wanted = std::min(dueIn_, present(tick));
    if (csr_[0] & RXON && wanted != never)
        receiveAt_ = std::min(receiveAt_, std::max(tick, wanted));
}

void Lance::receiveStep(uint64_t tick) {
    if (receive_ == Step::idle) {
        forFrame_ = present(tick) <= tick;
        look(tick, User::receive);
        return;
    }
    if (receive_ == Step::status) {
        const Incoming &f = wireIn_.frames.front();
        if (f.over != never) {
            receive_ = Step::writing1;
            give(User::receive, tick, rx_.descriptor() + 2, receiveStatus() | (in_.flags & 0xFF));
            return;
        }
        receive_ = Step::writing3;
        give(User::receive, tick, rx_.descriptor() + 6, receiveCount());
        return;
    }
    if (receive_ == Step::lost) {
        wireIn_.frames.pop_front();
        receive_ = Step::idle;
        receiveIdle(tick + 1);
        return;
    }
    if (receive_ != Step::ready || wireIn_.frames.empty() || !wireIn_.frames.front().accepted)
        return;
    Incoming &f = wireIn_.frames.front();
    if (tick < f.known + toFirst) { // a burst of no more than the address
        receiveAt_ = f.known + toFirst;
        return;
    }
    const auto there = static_cast<unsigned>(f.data.size() - f.taken -
                                             (f.last + toByte > tick && f.taken < f.data.size()));
    const bool ended = f.seen(toEnd) <= tick;
    const unsigned want = wantedOf(in_);
    if (there && !in_.left) {
        receive_ = Step::ahead;
        requestWord(User::receive, tick + 1, rx_.following() + 2);
    } else if (there && (there >= want || ended)) {
        Ownership o = burstOf(in_, std::min(there, want));
        o.write = true;
        std::copy_n(f.data.begin() + f.taken, o.bytes, o.data.begin());
        f.taken += o.bytes;
        moving_ = o.bytes;
        receive_ = Step::burst;
        master_.request(User::receive, tick, o);
    } else if (ended && f.size < shortest && !loop()) {
        wireIn_.frames.pop_front(); // its buffer is used again
        in_ = begin_;
        starts_ = true;
        dueIn_ = never;
        readyAt_ = receiveAt_ = tick + 2;
    } else if (ended) {
        receive_ = Step::status;
        receiveAt_ = tick + 1 + t_.status;
    } else if (f.ended != never) {
        receiveAt_ = f.seen(toEnd);
    } else if (f.data.size() - f.taken >= std::max(1u, want)) {
        receiveAt_ = f.last + toByte;
    }
}

/// Bytes of the burst that waits for the bus or is under way, as far as they are in the silo.
unsigned Lance::leaving(uint64_t tick) const {
    if (receive_ != Step::burst)
        return 0;
    return master_.owner() == User::receive ? master_.left(tick) : moving_;
}

/// The upper half of RMD1 of a frame's last buffer.
unsigned Lance::receiveStatus() const {
    const Incoming &f = wireIn_.frames.front();
    if (f.over != never)
        return FAILED | OFLO | (in_.left ? 0 : +RBUFF) | startFlag();
    bool bad = false;
    if (!loop() || mode_ & DTCR) {
        const std::size_t body = f.data.size() - 4;
        uint32_t check = 0;
        for (unsigned i = 0; i < 4; ++i)
            check |= uint32_t{f.data[body + i]} << 8 * i;
        bad = f.spoilt || ~crcOf(f.data.data(), body) != check;
    }
    return ENP | startFlag() | (bad ? FAILED | CRC | (f.dribble ? +FRAM : 0) : 0);
}

/// RMD3 of a frame's last buffer.
unsigned Lance::receiveCount() const {
    const Incoming &f = wireIn_.frames.front();
    const bool plain = starts_ && !loop() && !(receiveStatus() & FAILED);
    return (plain ? Classifier::path(f.paths) << 12 : 0) | (f.size & 0xFFF);
}

/// Drop the rest of the frame from the silo, from `tick` on, a byte a tick.
void Lance::lose(uint64_t tick) {
    Incoming &f = wireIn_.frames.front();
    f.lost = true;
    receive_ = Step::lost;
    losesFrom_ = tick;
    if (f.ended != never)
        receiveAt_ = drained();
}

/// The end of a lost frame is known, and its bytes are out of the silo.
uint64_t Lance::drained() const {
    const Incoming &f = wireIn_.frames.front();
    return std::max(losesFrom_ + f.data.size() - f.taken, f.seen(toEnd));
}

void Lance::receiveDone(uint64_t tick) {
    const uint64_t next = tick + 1;
    const Ownership &o = master_.last();
    const uint32_t descriptor = rx_.descriptor();
    auto &frames = wireIn_.frames;
    switch (receive_) {
    case Step::flags:
        in_.flags = o.word();
        if (!(in_.flags & OWN)) {
            if (forFrame_) {
                raise(tick, MISS);
                lose(next);
            } else {
                receive_ = Step::idle;
                receiveIdle(next);
            }
            return;
        }
        starts_ = true;
        receive_ = Step::low;
        requestWord(User::receive, next, descriptor);
        break;
    case Step::low:
        in_.address = o.word() | (in_.flags & 0xFF) << 16;
        receive_ = Step::count;
        requestWord(User::receive, next, descriptor + 4);
        break;
    case Step::count:
        in_.left = in_.size = 4096 - (o.word() & 0xFFF);
        receive_ = Step::ready;
        begin_ = in_;
        if (starts_) {
            dueIn_ = never;
            readyAt_ = receiveAt_ = next + 1;
        } else {
            receiveStep(next);
        }
        break;
    case Step::burst:
        receive_ = Step::ready;
        receiveStep(next);
        break;
    case Step::ahead: {
        const uint64_t over = frames.front().over;
        const auto known = [over](uint64_t at) { return over != never && over + toByte <= at; };
        nextIn_ = o.word();
        const bool another = nextIn_ & OWN && rx_.size > 1 && !known(tick);
        receive_ = another ? Step::release : Step::full;
        const unsigned error = FAILED | RBUFF | (known(next) ? +OFLO : 0);
        give(User::receive, next, descriptor + 2,
             (another ? 0 : error) | startFlag() | (in_.flags & 0xFF));
        break;
    }
    case Step::release:
        rx_.advance();
        starts_ = false;
        in_.flags = nextIn_;
        receive_ = Step::low;
        requestWord(User::receive, next, rx_.descriptor());
        break;
    case Step::full:
        raised_[rint] = tick + t_.interrupt;
        rx_.advance();
        lose(next);
        break;
    case Step::writing3:
        receive_ = Step::writing1;
        give(User::receive, next, descriptor + 2, receiveStatus() | (in_.flags & 0xFF));
        break;
    case Step::writing1:
        raised_[rint] = tick + t_.interrupt;
        rx_.advance();
        frames.pop_front();
        forFrame_ = false;
        look(tick, User::receive);
        break;
    default:
        break;
    }
}

} // namespace mcpi::exact
