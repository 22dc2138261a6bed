// SPDX-License-Identifier: BSD-2-Clause
#include "receive_wire.h"

#include <algorithm>

namespace mcpi::exact {
namespace {

constexpr unsigned mostFrames = 16;
constexpr uint64_t toKnow = 2; // from the address's last nibble to what the ring sees

} // namespace

uint32_t crcOf(const uint8_t *data, std::size_t size) {
    uint32_t c = ~0u;
    for (std::size_t i = 0; i < size; ++i) {
        c ^= data[i];
        for (int k = 0; k < 8; ++k)
            c = c & 1 ? 0xEDB88320 ^ c >> 1 : c >> 1;
    }
    return c;
}

bool Filter::accepts(const std::array<uint8_t, 6> &address) const {
    const auto all = [](uint8_t b) { return b == 0xFF; };
    if (promiscuous || std::all_of(address.begin(), address.end(), all))
        return true;
    if (address[0] & 1)
        return groups && logical >> (crcOf(address.data(), address.size()) >> 26) & 1;
    return address == physical;
}

void ReceiveWire::writeEntry(uint64_t tick, unsigned entry, unsigned place, uint32_t value) {
    classifier_.write(entry, place, value);
    for (Incoming &f : frames)
        if (f.ended == never || f.ended == tick)
            f.paths &= static_cast<Classifier::Set>(~(1u << entry));
}

unsigned ReceiveWire::inSilo() const {
    unsigned count = 0;
    for (const auto &f : frames)
        if (!f.lost)
            count += static_cast<unsigned>(f.data.size()) - f.taken;
    return count;
}

ReceiveWire::WireEvent ReceiveWire::hears(uint64_t tick, const Nibble &n, const Filter &filter,
                                          unsigned leaving, bool own) {
    if (!n.valid) {
        const bool ended = ours_;
        if (ours_) {
            frames.back().ended = tick;
            frames.back().paths &= classifier_.matching(frames.back().data);
            frames.back().dribble = half_;
        }
        begun_ = inFrame_ = ours_ = half_ = false;
        if (ended && !frames.back().accepted) {
            frames.pop_back();
            return WireEvent::nothing;
        }
        return ended ? WireEvent::ended : WireEvent::nothing;
    }
    if (!begun_)
        heard_ = on_ && !own;
    begun_ = true;
    if (!inFrame_) {
        if (n.data == 0xD) {
            inFrame_ = true;
            half_ = false;
            ours_ = heard_;
            if (ours_) {
                frames.push_back({});
                frames.back().paths = classifier_.live();
            }
        }
        return WireEvent::nothing;
    }
    if (!ours_)
        return WireEvent::nothing;
    frames.back().spoilt = frames.back().spoilt || n.error;
    half_ = !half_;
    if (half_) {
        low_ = n.data & 15;
        return WireEvent::nothing;
    }
    return byte(tick, static_cast<uint8_t>(low_ | n.data << 4), filter, leaving);
}

ReceiveWire::WireEvent ReceiveWire::byte(uint64_t tick, uint8_t value, const Filter &filter,
                                         unsigned leaving) {
    Incoming &f = frames.back();
    if (f.size < f.address.size())
        f.address[f.size] = value;
    ++f.size;
    if (f.over == never && !f.lost && inSilo() + leaving >= silo_)
        f.over = tick;
    if (f.over == never) {
        f.data.push_back(value);
        f.last = tick;
    }
    if (f.size != f.address.size())
        return f.accepted && f.over == never ? WireEvent::byte : WireEvent::nothing;
    if (!filter.accepts(f.address)) {
        frames.pop_back();
        ours_ = false;
        return WireEvent::nothing;
    }
    f.accepted = true;
    f.known = tick + toKnow;
    if (frames.size() > mostFrames) {
        frames.pop_back();
        ours_ = false;
        return WireEvent::crowded;
    }
    return WireEvent::address;
}

} // namespace mcpi::exact
