// SPDX-License-Identifier: BSD-2-Clause
#include "medium.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "link/faults.h"

namespace mcpi {

bool Medium::isHalf(const Machine &machine) {
    return machine.parameter("link.duplex") == 1; // full, half
}

void Medium::wantFull(const Machine &machine, const char *mode) {
    if (isHalf(machine))
        throw UserError(std::string(mode) + ": the other end of its wire knows no carrier and no "
                                            "collisions; give it a machine with link.duplex full.");
}

Medium::Medium(const Machine &machine, const Options &options)
    : cable_(options.cable), loopback_(options.loopback) {
    const uint64_t perUs = machine.parameter("clock.ticks_per_us");
    const uint64_t mbps = machine.parameter("link.mbps");
    if (4 * perUs % mbps)
        throw UserError(options.machine + ": a nibble on the wire is no whole number of ticks.");
    nibble_ = 4 * perUs / mbps;
    isHalf(machine) ? segment(options) : wires(machine, options);
    plug();
}

Medium::Medium(const Medium &other)
    : suffers_(other.suffers_), attempts_(other.attempts_), collided_(other.collided_),
      bits_(other.bits_), cable_(other.cable_), nibble_(other.nibble_), loopback_(other.loopback_),
      lookahead_(other.lookahead_) {
    for (unsigned n = 0; n < 2 && other.lines_[n]; ++n)
        lines_[n] = std::make_unique<Line>(*other.lines_[n]);
    if (other.segment_)
        segment_ = std::make_unique<EtherSegment>(*other.segment_);
    plug();
}

/// A port for each node.
void Medium::plug() {
    for (unsigned n = 0; n < 2; ++n)
        if (segment_)
            ports_[n] = std::make_unique<SegmentPort>(*segment_, n);
        else
            ports_[n] = std::make_unique<LinePort>(*lines_[n], *lines_[loopback_ ? n : n ^ 1]);
}

void Medium::wires(const Machine &machine, const Options &options) {
    LineConfig wire;
    wire.nibbleTicks = nibble_;
    wire.delayTicks = cable_;
    for (unsigned n = 0; n < 2; ++n) {
        wire.phase = phaseFromSeed(options.seed, phaseWire + n, nibble_);
        lines_[n] = std::make_unique<Line>(wire);
        auto faults = std::make_unique<Faults>();
        faults->seed = options.seed;
        for (const auto &option : options.nodes[n].wire)
            faults->set(option, machine.parameter("clock.ticks_per_us"));
        suffers_[n] = !options.nodes[n].wire.empty();
        if (faults->any())
            lines_[n]->suffer(std::move(faults));
    }
    lookahead_ = lines_[0]->lookahead();
}

void Medium::segment(const Options &options) {
    for (const auto &node : options.nodes)
        if (!node.wire.empty())
            throw UserError("--wire " + node.wire.front() +
                            ": faults are of the full-duplex wire; this machine's link.duplex is "
                            "half.");
    const uint64_t longest = EtherSegment::longestNibbles * nibble_;
    if (cable_ < 1 || cable_ > longest)
        throw UserError("--cable-ticks " + std::to_string(cable_) + ": 1 to " +
                        std::to_string(longest) +
                        " on a half-duplex segment, so that a collision is over within the slot "
                        "time.");
    segment_ = std::make_unique<EtherSegment>(nibble_);
    for (unsigned n = 0; n < 2; ++n)
        segment_->attach(n * cable_);
    lookahead_ = cable_;
}

void Medium::collect(EventLog &events, std::vector<Passage> &frames) {
    for (unsigned n = 0; n < 2 && !segment_; ++n) {
        for (auto &p : lines_[n]->passed) {
            events.addPassage(n, p);
            frames.push_back(std::move(p));
        }
        lines_[n]->passed.clear();
    }
    if (!segment_)
        return;
    for (auto &attempt : segment_->passed) {
        ++attempts_;
        collided_ += attempt.error;
        attempt.lost = attempt.error; // nobody gets it whole
        attempt.receivedFirst = attempt.sentFirst + cable_ + nibble_;
        attempt.receivedLast = attempt.sentLast + cable_ + nibble_;
        events.addPassage(attempt.station, attempt);
        if (attempt.error)
            continue;
        bits_ += 4 * attempt.nibbles.size();
        frames.push_back(std::move(attempt));
    }
    segment_->passed.clear();
}

uint64_t Medium::since() const {
    if (segment_)
        return segment_->since();
    return std::min(lines_[0]->since(), lines_[1]->since());
}

void Medium::forget() {
    for (auto &line : lines_)
        line->passed.clear();
}

nlohmann::ordered_json Medium::wireCounts() const {
    nlohmann::ordered_json all;
    if (segment_)
        all["segment"] = {{"attempts", attempts_},
                          {"collided", collided_},
                          {"collisions", segment_->collisions},
                          {"bits", bits_}};
    for (unsigned n = 0; n < 2; ++n) {
        if (!suffers_[n])
            continue;
        const WireCounts &c = lines_[n]->counts;
        all["node" + std::to_string(n)] = {
            {"lost", c.lost},       {"corrupted", c.corrupted}, {"duplicated", c.duplicated},
            {"delayed", c.delayed}, {"reordered", c.reordered}, {"injected", c.injected}};
    }
    return all;
}

} // namespace mcpi
