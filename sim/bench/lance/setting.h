// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <string>

#include "base/error.h"
#include "base/machine.h"
#include "lib/lance/lance.h"

namespace mcpi {

/// The chip's times of a resolved machine, in ticks; UserError unless a nibble is whole ticks.
inline lance_config lanceTimes(const Machine &machine, const std::string &path) {
    const uint64_t perUs = machine.parameter("clock.ticks_per_us");
    const uint64_t mbps = machine.parameter("link.mbps");
    if (4 * perUs % mbps)
        throw UserError(path + ": a nibble on the wire is no whole number of ticks.");
    const auto ticks = [&](const char *name) {
        const uint64_t ns = machine.parameter(std::string("lance.") + name + "_ns");
        return static_cast<uint32_t>((ns * perUs + 500) / 1000);
    };
    lance_config c{};
    c.poll = ticks("poll");
    c.word = ticks("word");
    c.gap = ticks("gap");
    c.arbitration = ticks("arbitration");
    c.csr = ticks("csr");
    c.demand = ticks("demand");
    c.setup = ticks("setup");
    c.start = ticks("start");
    c.heartbeat = ticks("heartbeat");
    c.status = ticks("status");
    c.interrupt = ticks("interrupt");
    c.transmit_threshold = static_cast<uint32_t>(machine.parameter("lance.transmit_threshold"));
    c.nibble_ticks = static_cast<uint32_t>(4 * perUs / mbps);
    c.poll_phase = 1000;
    c.dma_latency = 10;
    c.sqe_test = 1;
    return c;
}

} // namespace mcpi
