// SPDX-License-Identifier: BSD-2-Clause
#include "ioasic_dma.h"

#include <algorithm>

namespace mcpi::exact {

void IoasicDma::hold(const Ownership &o, unsigned bytes) {
    take(coming_.longwords);
    if (!o.burst)
        return;
    for (unsigned i = 0; i < bytes; ++i)
        buffer_[(o.address % 16 + i) ^ o.swaps] = o.data[i];
}

Burst IoasicDma::pack(const Ownership &o) {
    Burst b;
    b.write = o.write;
    if (!o.burst) {
        b.address = word(o.address) & ~uint64_t{3};
        if (o.write)
            std::copy_n(o.data.begin(), 2, b.data.begin() + word(o.address) % 16);
        if (dense)
            b.bytes = static_cast<uint16_t>(3u << word(o.address) % 16);
        return b;
    }
    const uint64_t first = byte(o.address);
    b.address = first & ~uint64_t{3};
    b.longwords = static_cast<unsigned>((first % 4 + o.bytes + 3) / 4);
    b.data = buffer_; // what is left of a longword is as in the burst before
    if (dense)
        b.bytes = static_cast<uint16_t>(((1u << o.bytes) - 1) << first % 16);
    return b;
}

void IoasicDma::unpack(uint64_t tick, const Burst &b, Ownership &o) {
    take(coming_.longwords);
    const std::size_t first = b.address % 16;
    const auto at = static_cast<unsigned>(o.burst ? o.address % 16 : word(o.address) % 16);
    for (unsigned i = 0; i < (o.burst ? o.bytes : 2); ++i)
        o.data[i] = b.data[(at + i) ^ o.swaps];
    coming_ = b;
    place_ = static_cast<unsigned>(o.burst ? first : 0);
    there_ = tick;
    comes_ = true;
}

void IoasicDma::letGo(uint64_t tick, uint64_t apart) {
    unsigned missing = 0;
    for (uint64_t at = there_; missing < coming_.longwords && at > tick; at -= apart)
        ++missing;
    take(coming_.longwords - missing);
}

/// The first longwords of what was read go into the buffer, once.
void IoasicDma::take(unsigned longwords) {
    if (comes_)
        std::copy_n(coming_.data.begin() + coming_.address % 16, 4 * longwords,
                    buffer_.begin() + place_);
    comes_ = false;
}

} // namespace mcpi::exact
