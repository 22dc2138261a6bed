// SPDX-License-Identifier: BSD-2-Clause
#include "counters.h"

#include <algorithm>
#include <utility>

namespace mcpi::exact {
namespace {

const std::vector<std::string> windowNames = {"path", "spin", "hold", "probe"};

std::string causeName(Owner owner, const char *cause) {
    return std::string("cause.") + ownerNames[static_cast<unsigned>(owner)] + "." + cause;
}

std::vector<Event> eventsOf(const Machine &m) {
    const std::vector<std::string> names = m.counters();
    std::vector<Event> events;
    for (unsigned n = 0; n < eventNames.size(); ++n)
        if (std::find(names.begin(), names.end(), eventNames[n]) != names.end())
            events.push_back(static_cast<Event>(n));
    return events;
}

} // namespace

CounterBanks::CounterBanks(const Machine &m)
    : coherent_(m.has("bcache.private")), events_(eventsOf(m)),
      codeWindow_(m.base("ram", "image") & ~(codeBytes - 1)),
      blockWords_(m.parameter("cache.block") / 4), words_(codeBytes / 4),
      blocks_(codeBytes / 4 / blockWords_) {}

NodeInfo CounterBanks::info(const Machine &m) {
    const bool coherent = m.has("bcache.private");
    NodeInfo info;
    info.owners.assign(ownerNames.begin(),
                       coherent ? ownerNames.end() : ownerNames.begin() + commonOwners);
    info.windows = windowNames;
    info.comparators = 24;
    for (const std::string &name : m.counters())
        if (name.rfind("cause.", 0))
            info.counters.push_back(name);
        else if (name == std::string("cause.") + causeNames[0])
            for (const Owner owner : causedOwners)
                for (const char *cause : causeNames)
                    info.counters.push_back(causeName(owner, cause));
    return info;
}

void CounterBanks::marker(const Marker &marker) {
    if (marker.action != actionInvocation) {
        windows_.act(marker);
        if (windows_.pathClosed() && std::exchange(cold_, false))
            copies_ = coldEnded_ = true;
        return;
    }
    now_.invocations[marker.window - 1] += counts_;
}

/// Count the first issue of a word of the code window since the last clear.
void CounterBanks::firstIssue(uint64_t word, unsigned banks) {
    uint8_t &block = blocks_[word / blockWords_];
    for (unsigned bank = 0; bank < 2; ++bank) {
        const unsigned bit = 1u << bank;
        if (!(banks & bit))
            continue;
        now_.slots[bank].words += !(words_[word] & bit);
        now_.slots[bank].blocks += !(block & bit);
    }
    words_[word] |= banks;
    block |= banks;
}

/// Behind a tick: a copy that is due; a cold start, from which on everything is counted anew.
bool CounterBanks::between(bool cold) {
    if (std::exchange(copies_, false))
        copy_ = now_;
    if (!cold)
        return false;
    clear();
    windows_.close(true);
    counts_ = cold_ = true;
    return true;
}

bool CounterBanks::control(uint64_t what) {
    if (what & countersClear)
        clear();
    if (what & (countersFreeze | countersArm))
        counts_ = what & countersArm;
    if (what & countersSnapshot)
        copy_ = now_;
    return what & countersClear;
}

/// Ticks of a transaction whose cause is not known yet get it as soon as it is.
void CounterBanks::closes(Cause known) {
    constexpr auto open = static_cast<unsigned>(Cause::open);
    const auto cause = static_cast<unsigned>(known);
    open_ = false;
    for (auto &bank : now_.causes)
        for (auto &owner : bank)
            owner[cause] += std::exchange(owner[open], 0);
}

void CounterBanks::clear() {
    now_ = Sums();
    windows_.close(false);
    cold_ = false;
    std::fill(words_.begin(), words_.end(), 0);
    std::fill(blocks_.begin(), blocks_.end(), 0);
}

std::map<std::string, uint64_t> CounterBanks::bank(const Sums &s, bool path) const {
    std::map<std::string, uint64_t> found;
    uint64_t ticks = 0;
    for (unsigned owner = 0; owner < (coherent_ ? ownerCount : commonOwners); ++owner) {
        uint64_t sum = 0;
        for (unsigned set = path; set < Windows::sets; set += 1 + path)
            sum += s.table[set][owner];
        found[std::string("owner.") + ownerNames[owner]] = sum;
        ticks += sum;
    }
    for (const Event event : events_) {
        const auto n = static_cast<unsigned>(event);
        found[nameOf(event)] = s.events[1][n] + (path ? 0 : s.events[0][n]);
    }
    for (unsigned o = 0; coherent_ && o < causedOwners.size(); ++o)
        for (unsigned n = 0; n < causeCount; ++n)
            found[causeName(causedOwners[o], causeNames[n])] =
                s.causes[1][o][n] + (path ? 0 : s.causes[0][o][n]);
    found["instructions"] = found["owner.issue"];
    found["fetch.words"] = s.slots[path].words;
    found["fetch.blocks"] = s.slots[path].blocks;
    found["fetch.outside"] = s.slots[path].outside;
    found["invocations"] = s.invocations[0];
    found["paused.ticks"] = s.pausedTicks;
    found["paused.instructions"] = s.pausedInstructions;
    found["ticks"] = found["clocks"] = ticks; // a program has no other clock
    found["withheld"] = 0;
    return found;
}

Counters CounterBanks::named(const Sums &s) const {
    Counters counters;
    counters.all = bank(s, false);
    counters.path = bank(s, true);
    for (const auto &owners : s.table)
        counters.windows.ticks.emplace_back(
            owners.begin(), owners.begin() + (coherent_ ? ownerCount : commonOwners));
    for (unsigned n = 1; n < Windows::count; ++n)
        counters.windows.invocations[windowNames[n]] = s.invocations[n];
    return counters;
}

} // namespace mcpi::exact
