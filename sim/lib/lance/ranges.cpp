// SPDX-License-Identifier: BSD-2-Clause
#include "ranges.h"

namespace mcpi {
namespace {

std::string outOfRange(const char *name, uint64_t value, unsigned bits) {
    const uint64_t most = (uint64_t{1} << bits) - 1;
    if (value <= most)
        return {};
    return std::string("lance_config.") + name + " is " + std::to_string(value) +
           "; the chip takes 0 to " + std::to_string(most) + ".";
}

} // namespace

std::string outOfRange(const lance_config &c) {
    std::string why;
#define FIELD(name, input, bits)                                                                   \
    if (why.empty())                                                                               \
        why = outOfRange(#name, c.name, bits);
    LANCE_INPUTS(FIELD)
#undef FIELD
    return why;
}

} // namespace mcpi
