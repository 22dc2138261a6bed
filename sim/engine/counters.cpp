// SPDX-License-Identifier: BSD-2-Clause
#include "counters.h"

#include <algorithm>
#include <utility>

namespace mcpi::exact {
namespace {

std::string causeName(Owner owner, unsigned cause) {
    return std::string("cause.") + ownerNames[static_cast<unsigned>(owner)] + "." +
           memory::causeNames[cause];
}

/// Events that not every machine has, in order.
std::vector<unsigned> furtherEvents(const Machine &m) {
    std::vector<unsigned> events;
    const auto add = [&events](bool has, unsigned first, unsigned end) {
        for (unsigned n = first; has && n < end; ++n)
            events.push_back(n);
    };
    add(m.parameter("core.translation"), translationEvents, afterTranslation);
    add(m.parameter("dcache.policy"), backEvents, coherentEvents);
    add(m.has("bcache.private"), coherentEvents, victimEvents);
    add(m.parameter("icache.victims"), victimEvents, victimEvents + 1);
    add(m.parameter("dcache.victims"), victimEvents + 1, victimEvents + 2);
    return events;
}

} // namespace

CounterBanks::CounterBanks(const Machine &m)
    : coherent_(m.has("bcache.private")), further_(furtherEvents(m)),
      codeWindow_(m.base("ram", "image") & ~(codeBytes - 1)),
      blockWords_(m.parameter("cache.block") / 4), words_(codeBytes / 4),
      blocks_(codeBytes / 4 / blockWords_) {}

NodeInfo CounterBanks::info(const Machine &m) {
    return info(m.has("bcache.private"), furtherEvents(m));
}

NodeInfo CounterBanks::info(bool coherent, const std::vector<unsigned> &further) {
    NodeInfo info;
    info.owners.assign(ownerNames.begin(), ownerNames.end() - !coherent);
    info.windows = {"path", "spin", "hold", "probe"};
    info.comparators = 24;
    info.counters = {"ticks", "instructions"};
    for (const auto &owner : info.owners)
        info.counters.push_back("owner." + owner);
    for (unsigned n = 0; n < translationEvents; ++n)
        info.counters.push_back(eventName(n));
    for (const char *name : {"fetch.words", "fetch.blocks", "fetch.outside", "invocations",
                             "paused.ticks", "paused.instructions", "clocks", "withheld"})
        info.counters.push_back(name);
    for (const unsigned n : further)
        info.counters.push_back(eventName(n));
    for (const Owner owner : causedOwners)
        for (unsigned n = 0; coherent && n < causeCount; ++n)
            info.counters.push_back(causeName(owner, n));
    return info;
}

void CounterBanks::passes(const Marker &marker) {
    if (marker.action != actionInvocation) {
        windows_.act(marker);
        if (windows_.pathClosed() && std::exchange(cold_, false))
            copies_ = coldEnded_ = true;
        return;
    }
    now_.invocations[marker.window - 1] += counts_;
}

/// Of the code window, since the last clear.
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
void CounterBanks::causes(const Lived &lived, bool path) {
    const auto cause = static_cast<unsigned>(lived.cause);
    constexpr auto open = static_cast<unsigned>(memory::Cause::open);
    if (open_ && cause != open) {
        open_ = false;
        for (auto &bank : now_.causes)
            for (auto &owner : bank)
                owner[cause] += std::exchange(owner[open], 0);
    }
    const auto owner = std::find(causedOwners.begin(), causedOwners.end(), lived.owner);
    if (owner == causedOwners.end() || !counts_)
        return;
    now_.causes[path][owner - causedOwners.begin()][cause] += lived.count;
    open_ |= cause == open;
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
    for (unsigned owner = 0; owner < ownerCount - !coherent_; ++owner) {
        uint64_t sum = 0;
        for (unsigned set = path; set < Windows::sets; set += 1 + path)
            sum += s.table[set][owner];
        found[std::string("owner.") + ownerNames[owner]] = sum;
        ticks += sum;
    }
    const auto counts = [&](unsigned event) {
        found[eventName(event)] = s.events[1][event] + (path ? 0 : s.events[0][event]);
    };
    for (unsigned event = 0; event < translationEvents; ++event)
        counts(event);
    for (const unsigned event : further_)
        counts(event);
    for (unsigned o = 0; coherent_ && o < causedOwners.size(); ++o)
        for (unsigned n = 0; n < causeCount; ++n)
            found[causeName(causedOwners[o], n)] =
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

Counters CounterBanks::told(const Sums &s) const {
    Counters counters;
    counters.all = bank(s, false);
    counters.path = bank(s, true);
    for (const auto &owners : s.table)
        counters.windows.ticks.emplace_back(owners.begin(), owners.end() - !coherent_);
    const NodeInfo names = info(coherent_, further_);
    for (unsigned n = 1; n < Windows::count; ++n)
        counters.windows.invocations[names.windows[n]] = s.invocations[n];
    return counters;
}

} // namespace mcpi::exact
