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
            std::copy_n(o.data.begin(), 2, b.data.begin() + b.address % 16);
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
    return b;
}

void IoasicDma::unpack(const Burst &b, Ownership &o) {
    const std::size_t first = b.address % 16;
    const unsigned at = o.burst ? o.address % 16 : static_cast<unsigned>(first);
    for (unsigned i = 0; i < (o.burst ? o.bytes : 2); ++i)
        o.data[i] = b.data[(at + i) ^ o.swaps];
    std::copy_n(b.data.begin() + first, 4 * b.longwords, buffer_.begin() + (o.burst ? first : 0));
}

} // namespace mcpi::exact
