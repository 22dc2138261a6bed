// SPDX-License-Identifier: BSD-2-Clause
// The trace of a core that an RTL node gives in each tick: rtl/node/CoreTrace.scala, by the layout
// of Node.json.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "machine.h"
#include "machines/counters.h"

namespace mcpi {

/// The value of a field of at most 64 bits, in a trace of words of 32 bits.
inline uint64_t traced(const uint32_t *trace, NodeInfo::Bits bits) {
    const uint32_t *const words = trace + bits.first / 32;
    const unsigned shift = bits.first % 32;
    uint64_t value = words[0] >> shift;
    for (unsigned have = 32 - shift, n = 1; have < bits.width; have += 32, ++n)
        value |= uint64_t{words[n]} << have;
    return bits.width == 64 ? value : value & ((uint64_t{1} << bits.width) - 1);
}

/// An event by its fields in the trace: in a tick that counts each has the wanted value.
struct TracedEvent {
    Event event;
    std::vector<std::pair<NodeInfo::Bits, uint64_t>> fields;

    bool counts(const uint32_t *trace) const {
        for (const auto &[bits, wanted] : fields)
            if (traced(trace, bits) != wanted)
                return false;
        return true;
    }
};

/// Events of the core, or of its memory system, that a node with this layout has, in the order of
/// machines/counters.toml.
std::vector<TracedEvent> tracedEvents(const NodeInfo &info, bool ofCore);

} // namespace mcpi
