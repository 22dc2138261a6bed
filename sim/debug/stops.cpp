// SPDX-License-Identifier: BSD-2-Clause
#include "stops.h"

#include <algorithm>

namespace mcpi::debug {
namespace {

using exact::TickRun;
using What = Hit::What;

constexpr uint32_t rti = 0x3F; // CALL_PAL RTI (firmware/boot/palcode.h)

std::string valueOf(Machines &machines, unsigned thread, const Watchpoint &w) {
    return machines.bytesAt(thread, w.address & physicalMask, w.bytes);
}

} // namespace

void Stops::place(unsigned thread, uint64_t physical, bool adds) {
    adds ? void(places[thread].insert(physical)) : void(places[thread].erase(physical));
    if (!adds)
        removed_[thread].insert(physical);
}

bool Stops::any() const {
    const auto there = [](const auto &all) { return !all.empty(); };
    return steps || std::any_of(places.begin(), places.end(), there) ||
           std::any_of(watchpoints.begin(), watchpoints.end(), there);
}

void Stops::begin(Machines &machines, std::optional<uint64_t> limit) {
    machines_ = &machines;
    limit_ = limit;
    hits_ = {};
    depth_ = {};
    issues_ = false;
    lastStep_.clear();
    inPal_ = steps && !limit && machines.cpu(*steps).palMode;
    for (unsigned n = 0; n < machines.threads(); ++n) {
        values_[n].clear();
        for (const Watchpoint &w : watchpoints[n])
            values_[n].push_back(valueOf(machines, n, w));
    }
    seen_ = values_[0];
    for (unsigned n = 1; machines.together() && n < machines.threads(); ++n)
        for (std::size_t w = 0; w < seen_.size(); ++w)
            seen_[w] = values_[n][w] == values_[0][w] ? seen_[w] : values_[n][w];
}

std::optional<Hit> Stops::found() const {
    std::optional<Hit> best;
    for (const auto &hit : hits_)
        if (hit && (!best || (limit_ ? hit->tick > best->tick : hit->tick < best->tick)))
            best = hit;
    if (!limit_ || !steps)
        return best;
    const int depth = depth_[*steps] + depthAfter_; // where the search began
    for (const auto &[at, tick] : lastStep_)
        if (at <= depth && (!best || tick > best->tick))
            best = Hit{tick, *steps, What::step, 0, false};
    return best;
}

std::optional<Hit> Stops::takeWaiting() {
    while (!waiting_.empty()) {
        const Hit hit = waiting_.front();
        waiting_.erase(waiting_.begin());
        const auto &watched = watchpoints[hit.node];
        const auto same = [&](const Watchpoint &w) {
            return w.what == hit.what && w.address == hit.address;
        };
        if (hit.what == What::place ? places[hit.node].count(hit.address)
                                    : std::any_of(watched.begin(), watched.end(), same))
            return hit;
    }
    return {};
}

void Stops::tells(const Hit &hit) {
    const auto ahead = [&](const Hit &one) { return one.tick > hit.tick; }; // it comes there again
    waiting_.erase(std::remove_if(waiting_.begin(), waiting_.end(), ahead), waiting_.end());
    for (const auto &other : hits_)
        if (other && other->node != hit.node && other->tick == hit.tick)
            waits(*other);
}

/// The first hit of a thread waits.
void Stops::waits(const Hit &hit) {
    for (const Hit &one : waiting_)
        if (one.node == hit.node)
            return;
    waiting_.push_back(hit);
}

/// Forward: the node stops.
bool Stops::wanted(const Hit &hit) {
    if (limit_ && hit.tick >= *limit_)
        return false;
    if (!limit_ && only && hit.node != *only) {
        waits(hit);
        return false;
    }
    if (limit_ || !hits_[hit.node])
        hits_[hit.node] = hit;
    return !limit_;
}

bool Stops::after(unsigned node, const TickRun &run) {
    bool stops = false;
    if (!watchpoints[node].empty())
        stops |= changed(node, run);
    if (run.owner == Owner::issue)
        stops |= issued(node, run);
    return stops;
}

/// An instruction of the program is a step, with the PALcode that it calls and the interrupts that
/// come between.
bool Stops::stepped(unsigned node, const TickRun &run) {
    const alpha::Cpu &cpu = machines_->cpu(node);
    const bool pal = run.pc & 1;
    int &depth = depth_[node];
    if (pal && (run.pc & ~uint64_t{3}) == cpu.internal.palBase + alpha::vectorInterrupt)
        ++depth;
    if (!pal || inPal_) {
        lastStep_[depth] = run.tick;
        issues_ |= depth <= 0;
    }
    if (!pal && wordAt(cpu, run.pc) == rti)
        --depth;
    return issues_ && (inPal_ || !cpu.palMode);
}

bool Stops::issued(unsigned node, const TickRun &run) {
    const uint64_t behind = run.tick + run.count;
    bool stops = false;
    if (steps == node && stepped(node, run) && !limit_)
        stops |= wanted({behind, node, What::step, 0, false});
    const uint64_t place = machines_->cpu(node).pc & physicalMask;
    const bool steppedOver = only && *only != node && removed_[node].count(place);
    if (places[node].count(place) || steppedOver)
        stops |= wanted({behind, node, What::place, place, false});
    if (watchpoints[node].empty())
        return stops;
    const std::optional<Access> did = machines_->accessed(node, run.pc);
    if (!did)
        return stops;
    for (const Watchpoint &w : watchpoints[node]) {
        const uint64_t at = w.address & physicalMask;
        const bool overlaps = did->physical < at + w.bytes && at < did->physical + did->bytes;
        if (overlaps && (w.what == What::access || (w.what == What::read && !did->stores)))
            stops |= wanted({limit_ ? run.tick : behind, node, w.what, w.address, false});
    }
    return stops;
}

bool Stops::changed(unsigned node, const TickRun &run) {
    bool stops = false;
    for (std::size_t n = 0; n < watchpoints[node].size(); ++n) {
        const Watchpoint &w = watchpoints[node][n];
        if (w.what != What::write)
            continue;
        std::string now = valueOf(*machines_, node, w);
        if (now == values_[node][n])
            continue;
        values_[node][n] = now;
        if (machines_->together() && now == std::exchange(seen_[n], now))
            continue; // another core has seen it before
        const bool dma = run.owner != Owner::issue && machines_->dmaWrites(node);
        const uint64_t at = limit_ ? run.tick : run.tick + run.count;
        const unsigned who = machines_->writer(w.address & physicalMask, w.bytes, node);
        stops |= wanted({at, who, w.what, w.address, dma});
    }
    return stops;
}

} // namespace mcpi::debug
