// SPDX-License-Identifier: BSD-2-Clause
#include "exact_answers.h"

#include <cinttypes>

#include "base/text.h"
#include "why.h"

namespace mcpi::debug {
namespace {

uint64_t blocksIn(const memory::Cache &cache, uint64_t places) {
    uint64_t count = 0;
    for (uint64_t place = 0; place < places; ++place)
        count += cache.at(place) != memory::noBlock;
    return count;
}

std::string caches(const ExactMachines &machines, unsigned thread, const std::string &address) {
    const memory::Hierarchy &m = machines.core(thread).memory();
    const Machine &of = machines.machine();
    const uint64_t block = of.parameter("cache.block");
    struct Level {
        const char *name;
        const memory::Cache &cache;
        uint64_t places;
    };
    std::vector<Level> all{{"I-cache", m.icache(), of.parameter("icache.size") / block},
                           {"D-cache", m.dcache(), of.parameter("dcache.size") / block}};
    if (!m.privateCache())
        all.push_back({"b-cache", m.bus().bcache(), of.parameter("bcache.size") / block});
    std::string said;
    if (address.empty()) {
        for (const auto &one : all)
            said += text("%s: %" PRIu64 " of %" PRIu64 " blocks\n", one.name,
                         blocksIn(one.cache, one.places), one.places);
        said += text("write buffer: %u entries\n", m.writeBuffer().inUse);
        return said;
    }
    std::size_t end = 0;
    uint64_t at = 0;
    try {
        at = std::stoull(address, &end, 0);
    } catch (const std::exception &) {
    }
    if (!end || end != address.size())
        return "monitor caches " + address + ": an address is wanted, as 0x1234.\n";
    const uint64_t wanted = m.blockOf(at & physicalMask);
    for (const auto &one : all) {
        const uint64_t there = one.cache.at(one.cache.set(wanted));
        said += text("%s, set %" PRIu64 ": ", one.name, one.cache.set(wanted));
        if (one.cache.holds(wanted))
            said += "holds the block\n";
        else if (there == memory::noBlock)
            said += "empty\n";
        else
            said += text("holds block %" PRIx64 " instead\n", program(m.addressOf(there)));
    }
    constexpr const char *states[] = {"invalid", "shared", "exclusive", "modified"};
    if (const memory::PrivateCache *own = m.privateCache())
        said += text("b-cache of this core: %s\n",
                     states[static_cast<unsigned>(own->state(own->blockOf(wanted)))]);
    return said;
}

} // namespace

std::optional<std::string> exactAnswer(const ExactMachines &machines, Timeline &timeline,
                                       const std::string &word, const std::string &argument,
                                       unsigned thread) {
    if (word == "caches")
        return caches(machines, thread, argument);
    if (word == "why" && argument.empty())
        return why(timeline, thread);
    return {};
}

} // namespace mcpi::debug
