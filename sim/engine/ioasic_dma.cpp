// SPDX-License-Identifier: BSD-2-Clause
#include "ioasic_dma.h"

#include <algorithm>

namespace mcpi::exact {

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
    if (o.write) { // what is left of the last longword is as in the burst before
        for (unsigned i = 0; i < o.bytes; ++i)
            buffer_[(first % 16 + i) ^ o.swaps] = o.data[i];
        b.data = buffer_;
    }
    if (dense)
        b.bytes = static_cast<uint16_t>(((1u << o.bytes) - 1) << first % 16);
    return b;
}

void IoasicDma::unpack(const Burst &b, Ownership &o) {
    const std::size_t first = b.address % 16;
    const auto at = static_cast<unsigned>(o.burst ? o.address % 16 : word(o.address) % 16);
    for (unsigned i = 0; i < (o.burst ? o.bytes : 2); ++i)
        o.data[i] = b.data[(at + i) ^ o.swaps];
    std::copy_n(b.data.begin() + first, 4 * b.longwords, buffer_.begin() + (o.burst ? first : 0));
}

} // namespace mcpi::exact
