// SPDX-License-Identifier: BSD-2-Clause
#include "monitor.h"

#include <algorithm>
#include <cctype>
#include <cinttypes>
#include <sstream>

#include "base/text.h"
#include "link/frame.h"
#include "why.h"

namespace mcpi::debug {
namespace {

constexpr const char *help =
    "monitor tick             the tick at which the machines stand\n"
    "monitor goto TICK        stand there; +N, -N: so many ticks from here\n"
    "monitor failure          stand where the first machine ended itself with an exit code\n"
    "monitor owners           ticks by owner, since the run began and since the last stop\n"
    "monitor counters         the machine's counters, likewise\n"
    "monitor caches [ADDRESS] what the caches hold; whether they hold the block of an address\n"
    "monitor rings            the descriptors of the network controller\n"
    "monitor events           the latest marks and frames, both machines\n"
    "monitor wire             the latest frames\n"
    "monitor why              why the next instruction misses, and who evicted its block\n";

constexpr const char *noWire = "a machine of several cores runs alone: it has no wire.\n";

uint64_t blocksIn(const memory::Cache &cache, uint64_t places) {
    uint64_t count = 0;
    for (uint64_t place = 0; place < places; ++place)
        count += cache.at(place) != memory::noBlock;
    return count;
}

bool isNumber(const std::string &text) {
    return !text.empty() && text.size() < 20 &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

} // namespace

std::string Monitor::answer(const std::string &words, unsigned node) {
    std::istringstream in(words);
    std::string command, argument, more;
    in >> command >> argument >> more;
    const bool alone = argument.empty();
    if (command == "tick" && alone)
        return tick(node);
    if (command == "goto" && !alone && more.empty())
        return goTo(argument);
    if (command == "failure" && alone)
        return failure();
    if (command == "owners" && alone)
        return owners(node);
    if (command == "counters" && alone)
        return counters(node);
    if (command == "caches" && more.empty())
        return caches(node, argument);
    if (command == "rings" && alone)
        return rings(node);
    if (command == "events" && alone)
        return events();
    if (command == "wire" && alone)
        return wire();
    if (command == "why" && alone)
        return why(timeline_, node);
    return command == "help" && alone ? help : "monitor " + words + ": is not known.\n" + help;
}

void Monitor::leaves() {
    left_ = timeline_.tick();
    for (unsigned n = 0; n < timeline_.now().threads(); ++n)
        before_[n] = timeline_.now().counters(n);
}

std::string Monitor::tick(unsigned node) const {
    return text("tick %" PRIu64 ", %s %u: %" PRIu64 " instructions have issued\n", timeline_.tick(),
                timeline_.now().together() ? "core" : "node", node, timeline_.now().issued(node));
}

std::string Monitor::goTo(const std::string &where) {
    const bool relative = where[0] == '+' || where[0] == '-';
    if (!isNumber(relative ? where.substr(1) : where))
        return "monitor goto " + where + ": a tick is wanted, or +N or -N.\n";
    const uint64_t here = timeline_.tick(), number = std::stoull(where.substr(relative));
    const uint64_t back = where[0] == '-' ? std::min(number, here) : 0;
    leaves();
    timeline_.goTo(!relative ? number : where[0] == '-' ? here - back : here + number);
    return text("tick %" PRIu64 "\n", timeline_.tick());
}

/// Before the store to the exit register.
std::string Monitor::failure() {
    uint64_t first = memory::never;
    std::string said = "no machine has ended with an exit code\n";
    for (unsigned n = 0; n < timeline_.now().threads(); ++n) {
        const exact::Core::Exit &exit = timeline_.now().core(n).exit();
        if (!exit.code || exit.issued >= first)
            continue;
        first = exit.issued;
        said = text("node %u ended itself with exit code %u in tick %" PRIu64 "\n", n, exit.code,
                    first);
    }
    if (first == memory::never)
        return said;
    leaves();
    timeline_.goTo(first);
    return said;
}

std::string Monitor::owners(unsigned node) {
    const std::map<std::string, uint64_t> all = timeline_.now().counters(node).all;
    std::string said = text("%-24s %16s %16s\n", "ticks of", "all", "since last stop");
    uint64_t sum = 0, since = 0;
    for (const std::string &owner : exact::CounterBanks::info(timeline_.now().machine()).owners) {
        const auto found = all.find("owner." + owner);
        if (found == all.end() || !found->second)
            continue;
        const auto earlier = before_[node].all.find(found->first);
        const uint64_t before = earlier == before_[node].all.end() ? 0 : earlier->second;
        const uint64_t more = found->second > before ? found->second - before : 0;
        said += text("%-24s %16" PRIu64 " %16" PRIu64 "\n", owner.c_str(), found->second, more);
        sum += found->second;
        since += more;
    }
    return said + text("%-24s %16" PRIu64 " %16" PRIu64 "\n", "sum", sum, since);
}

std::string Monitor::counters(unsigned node) {
    std::string said = text("%-32s %16s %16s\n", "", "all", "path");
    const Counters now = timeline_.now().counters(node);
    for (const auto &[name, value] : now.all) {
        if (name.rfind("owner.", 0) == 0)
            continue;
        const auto path = now.path.find(name);
        said += text("%-32s %16" PRIu64 " %16" PRIu64 "\n", name.c_str(), value,
                     path == now.path.end() ? 0 : path->second);
    }
    return said;
}

std::string Monitor::rings(unsigned node) const {
    if (!timeline_.now().pair())
        return noWire;
    const exact::Node &machine = timeline_.now().pair()->node(node).node();
    const exact::Ioasic *card = machine.card().ioasic();
    if (!card)
        return "monitor rings: this machine's card has its descriptors in memory of its own.\n";
    const exact::IoasicDma &dma = card->dma();
    const auto word = [&](uint32_t at) {
        const uint64_t place = dma.wordAt(at);
        return machine.byteAt(place) | unsigned{machine.byteAt(place + 1)} << 8;
    };
    std::string said = text("csr0 %04x\n", card->lance().state().csr0);
    const auto ring = [&](const char *name, const am7990::Ring &of) {
        for (unsigned n = 0; n < of.size && of.base; ++n) {
            const uint32_t at = of.base + 8 * n;
            const unsigned flags = word(at + 2);
            const uint32_t buffer = word(at) | (flags & 0xFF) << 16;
            said += text("%s %2u%s at %" PRIx64 ": %s%s%s%s, buffer %" PRIx64
                         ", bytes %u, word 3 %04x\n",
                         name, n, n == of.index ? " *" : "  ", program(dma.wordAt(at)),
                         flags & am7990::OWN ? "controller" : "program",
                         flags & am7990::FAILED ? " ERR" : "", flags & am7990::STP ? " STP" : "",
                         flags & am7990::ENP ? " ENP" : "", program(dma.byteAt(buffer)),
                         0x10000 - (word(at + 4) | 0xF000), word(at + 6));
        }
    };
    ring("receive", card->lance().receiveRing());
    ring("transmit", card->lance().transmitRing());
    return said;
}

std::string Monitor::events() const {
    if (!timeline_.now().pair())
        return noWire;
    const std::string rows = timeline_.now().pair()->latestStamps(12);
    return rows.empty() ? "no mark has been passed yet\n" : "tick,node,stamp\n" + rows;
}

std::string Monitor::wire() const {
    if (!timeline_.now().pair())
        return noWire;
    std::string said;
    for (const Passage &frame : timeline_.now().pair()->latestFrames(8)) {
        const std::vector<uint8_t> bytes = frameBytes(frame.nibbles);
        said += text("sent in ticks %" PRIu64 " to %" PRIu64 ", ", frame.sentFirst, frame.sentLast);
        said += frame.lost ? "lost" : text("there in %" PRIu64, frame.receivedLast);
        if (bytes.size() >= 14)
            said += text(": %zu bytes, from …%02x to …%02x, type %02x%02x", bytes.size(), bytes[11],
                         bytes[5], bytes[12], bytes[13]);
        said += "\n";
    }
    return said.empty() ? "no frame has been sent yet\n" : said;
}

std::string Monitor::caches(unsigned node, const std::string &address) const {
    const memory::Hierarchy &m = timeline_.now().core(node).memory();
    const Machine &of = timeline_.now().machine();
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

} // namespace mcpi::debug
