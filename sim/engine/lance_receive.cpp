// SPDX-License-Identifier: BSD-2-Clause
// The wire's receiving side and the receive ring.
#include <algorithm>

#include "base/error.h"
#include "lance.h"

namespace mcpi::exact {
namespace {

using namespace lance_model;

constexpr uint64_t toByte = 2;  // from a byte's last nibble to the ring
constexpr uint64_t toEnd = 3;   // from the frame's end to the ring
constexpr uint64_t toMatch = 3; // from the address's last nibble to the look at the ring
constexpr unsigned burstBytes = 16, shortest = 64;

uint32_t crcOf(const Bytes &data, std::size_t size) {
    uint32_t c = ~0u;
    for (std::size_t i = 0; i < size; ++i) {
        c ^= data[i];
        for (int k = 0; k < 8; ++k)
            c = c & 1 ? 0xEDB88320 ^ c >> 1 : c >> 1;
    }
    return c;
}

} // namespace

void Lance::hears(uint64_t tick, const Pins &pins) {
    if (!pins.strobe)
        return;
    const Nibble &n = pins.nibble;
    if (!n.valid) {
        if (inFrame_)
            heardEnd(tick);
        inFrame_ = preamble_ = half_ = false;
        return;
    }
    if (n.error)
        throw RunError("RX_ER: the exact engine does not have it yet.");
    if (!inFrame_) {
        if (n.data == 0xD) {
            inFrame_ = true;
            half_ = false;
            heard_.push_back({});
        }
        return;
    }
    if (half_)
        heardByte(tick, static_cast<uint8_t>(low_ | n.data << 4));
    else
        low_ = n.data & 15;
    half_ = !half_;
}

void Lance::heardByte(uint64_t tick, uint8_t byte) {
    Heard &f = heard_.back();
    f.data.push_back(byte);
    if (f.accepted && !f.lost && f.data.size() - f.moved > t_.silo)
        throw RunError("OFLO: the exact engine does not have it yet.");
    f.last = tick;
    if (f.data.size() == 6) {
        f.accepted = csr_[0] & RXON && accepts(f.data);
        if (f.accepted && receive_ == Step::idle) {
            forFrame_ = true;
            look(tick + toMatch, User::receive);
        }
    }
    if (receive_ == Step::ready && &f == &heard_.front() && f.accepted && receiveAt_ == never &&
        f.data.size() - f.taken >= wanted())
        receiveAt_ = tick + toByte;
}

bool Lance::accepts(const Bytes &data) const {
    if (std::all_of(data.begin(), data.begin() + 6, [](uint8_t b) { return b == 0xFF; }))
        return true;
    if (data[0] & 1)
        return logical_ >> (crcOf(data, 6) >> 26) & 1;
    return std::equal(physical_.begin(), physical_.end(), data.begin());
}

void Lance::heardEnd(uint64_t tick) {
    Heard &f = heard_.back();
    f.ended = tick;
    if (!f.accepted) {
        heard_.pop_back();
        return;
    }
    f.dribble = half_;
    if ((receive_ == Step::ready || receive_ == Step::lost) && receiveAt_ == never)
        receiveAt_ = tick + toEnd;
}

/// Bytes of the next burst, if they come.
unsigned Lance::wanted() const {
    return std::min<unsigned>(burstBytes - in_.address % burstBytes, in_.left);
}

void Lance::receiveStep(uint64_t tick) {
    if (receive_ == Step::status) {
        Ownership o;
        o.write = true;
        o.address = rx_.descriptor() + 6;
        const auto count = static_cast<unsigned>(heard_.front().data.size());
        o.data[0] = static_cast<uint8_t>(count);
        o.data[1] = static_cast<uint8_t>(count >> 8 & 15);
        receive_ = Step::writing3;
        master_.request(User::receive, tick, o);
        return;
    }
    if (receive_ == Step::lost) {
        heard_.pop_front();
        receive_ = Step::idle;
        if (polled_)
            look(tick + 2, User::receive);
        return;
    }
    if (receive_ != Step::ready || heard_.empty() || !heard_.front().accepted)
        return;
    Heard &f = heard_.front();
    const auto there = static_cast<unsigned>(f.data.size() - (f.last + toByte > tick) - f.taken);
    const bool ended = f.ended != never && f.ended + toEnd <= tick;
    if (!in_.left && (there || !ended))
        throw RunError("a frame longer than its buffer: the exact engine does not have it yet.");
    if (there && (there >= wanted() || ended)) {
        Ownership o;
        o.burst = o.write = true;
        o.address = in_.address;
        o.bytes = std::min(there, wanted());
        std::copy_n(f.data.begin() + f.taken, o.bytes, o.data.begin());
        f.taken += o.bytes;
        in_.address += o.bytes;
        in_.left -= o.bytes;
        receive_ = Step::burst;
        master_.request(User::receive, tick, o);
    } else if (ended && f.data.size() < shortest) {
        heard_.pop_front(); // its buffer is used again
        in_.address = begin_.address;
        in_.left = begin_.left;
        receiveAt_ = tick + 1;
    } else if (ended) {
        receive_ = Step::status;
        receiveAt_ = tick + 1 + t_.status;
    } else if (f.ended != never) {
        receiveAt_ = f.ended + toEnd;
    } else if (f.data.size() - f.taken >= wanted()) {
        receiveAt_ = f.last + toByte;
    }
}

void Lance::receiveDone(uint64_t tick) {
    const uint64_t next = tick + 1;
    const Ownership &o = master_.last();
    Ownership more;
    switch (receive_) {
    case Step::flags:
        in_.flags = o.word();
        if (!(in_.flags & OWN)) {
            receive_ = Step::idle;
            if (heard_.empty() || !heard_.front().accepted) {
                if (polled_)
                    look(next + 1, User::receive);
                return;
            }
            if (forFrame_) {
                raised_[3] = next;
                receive_ = Step::lost;
                heard_.front().lost = true;
                forFrame_ = false;
                if (heard_.front().ended != never)
                    receiveAt_ = std::max(next + 1, heard_.front().ended + toEnd);
            } else {
                forFrame_ = true;
                look(next + 1, User::receive);
            }
            return;
        }
        receive_ = Step::low;
        more.address = rx_.descriptor();
        master_.request(User::receive, next, more);
        break;
    case Step::low:
        in_.address = o.word() | (in_.flags & 0xFF) << 16;
        receive_ = Step::count;
        more.address = rx_.descriptor() + 4;
        master_.request(User::receive, next, more);
        break;
    case Step::count:
        in_.left = 4096 - (o.word() & 0xFFF);
        forFrame_ = false;
        holds_ = true;
        begin_ = in_;
        receive_ = Step::ready;
        receiveAt_ = next + 1;
        break;
    case Step::burst:
        heard_.front().moved = heard_.front().taken;
        receive_ = Step::ready;
        receiveStep(next);
        break;
    case Step::writing3: {
        const Heard &f = heard_.front();
        const std::size_t body = f.data.size() - 4;
        uint32_t check = 0;
        for (unsigned i = 0; i < 4; ++i)
            check |= uint32_t{f.data[body + i]} << 8 * i;
        const bool wrong = ~crcOf(f.data, body) != check;
        const unsigned bad = wrong ? FAILED | CRC | (f.dribble ? +FRAM : 0) : 0;
        const unsigned status = STP | ENP | bad;
        more.write = true;
        more.address = rx_.descriptor() + 2;
        more.data[0] = static_cast<uint8_t>(in_.flags);
        more.data[1] = static_cast<uint8_t>(status >> 8);
        receive_ = Step::writing1;
        master_.request(User::receive, next, more);
        break;
    }
    case Step::writing1:
        raised_[1] = next + t_.interrupt;
        rx_.advance();
        heard_.pop_front();
        holds_ = false;
        look(next, User::receive);
        break;
    default:
        break;
    }
}

} // namespace mcpi::exact
