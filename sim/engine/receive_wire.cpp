// SPDX-License-Identifier: BSD-2-Clause
#include "receive_wire.h"

#include <algorithm>

namespace mcpi::exact {
namespace {

using lance_model::Bytes;

constexpr unsigned addressBytes = 6, mostFrames = 16;

} // namespace

uint32_t crcOf(const Bytes &data, std::size_t size) {
    uint32_t c = ~0u;
    for (std::size_t i = 0; i < size; ++i) {
        c ^= data[i];
        for (int k = 0; k < 8; ++k)
            c = c & 1 ? 0xEDB88320 ^ c >> 1 : c >> 1;
    }
    return c;
}

bool Filter::accepts(const Bytes &data) const {
    if (promiscuous)
        return true;
    if (std::all_of(data.begin(), data.begin() + addressBytes, [](uint8_t b) { return b == 0xFF; }))
        return true;
    if (data[0] & 1)
        return groups && logical >> (crcOf(data, addressBytes) >> 26) & 1;
    return std::equal(physical.begin(), physical.end(), data.begin());
}

unsigned ReceiveWire::inSilo() const {
    unsigned count = 0;
    for (const auto &f : frames)
        if (!f.lost)
            count += static_cast<unsigned>(f.data.size()) - f.taken;
    return count;
}

ReceiveWire::Told ReceiveWire::hears(uint64_t tick, const Nibble &n, const Filter &filter,
                                       unsigned leaving) {
    if (!n.valid) {
        const bool ended = ours_;
        if (ours_) {
            frames.back().ended = tick;
            frames.back().dribble = half_;
        }
        inFrame_ = ours_ = half_ = false;
        if (ended && !frames.back().accepted) {
            frames.pop_back();
            return Told::nothing;
        }
        return ended ? Told::ended : Told::nothing;
    }
    if (!inFrame_) {
        if (n.data == 0xD) {
            inFrame_ = true;
            half_ = false;
            ours_ = on_;
            if (ours_)
                frames.push_back({});
        }
        return Told::nothing;
    }
    if (!ours_)
        return Told::nothing;
    frames.back().spoilt |= n.error;
    half_ = !half_;
    if (half_) {
        low_ = n.data & 15;
        return Told::nothing;
    }
    return byte(tick, static_cast<uint8_t>(low_ | n.data << 4), filter, leaving);
}

ReceiveWire::Told ReceiveWire::byte(uint64_t tick, uint8_t value, const Filter &filter,
                                      unsigned leaving) {
    Incoming &f = frames.back();
    ++f.size;
    if (f.over != never)
        return Told::nothing;
    if (!f.lost && inSilo() + leaving >= silo_) {
        f.over = tick;
        return Told::nothing;
    }
    f.data.push_back(value);
    f.last = tick;
    if (f.size != addressBytes)
        return f.accepted ? Told::byte : Told::nothing;
    if (!filter.accepts(f.data)) {
        frames.pop_back();
        ours_ = false;
        return Told::nothing;
    }
    f.accepted = true;
    if (frames.size() > mostFrames) {
        frames.pop_back();
        ours_ = false;
        return Told::crowded;
    }
    return Told::address;
}

} // namespace mcpi::exact
