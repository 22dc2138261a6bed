// SPDX-License-Identifier: BSD-2-Clause
#include "network.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "link/faults.h"

namespace mcpi {
namespace {

constexpr uint64_t betweenLooks = 5000;  // between looks
constexpr uint64_t mostQuiet = 65535;    // ticks at once
constexpr uint64_t progressLooks = 2000; // between two words on the progress

// Which phase is drawn from the seed: of a link from one of the first two nodes as in a pair.
constexpr unsigned phaseFromNode = 200, phaseFromSwitch = 300;

nlohmann::ordered_json counted(const WireCounts &c) {
    return {{"lost", c.lost},       {"corrupted", c.corrupted}, {"duplicated", c.duplicated},
            {"delayed", c.delayed}, {"reordered", c.reordered}, {"injected", c.injected}};
}

} // namespace

Network::Network(const NetworkPlan &plan, std::vector<Station *> stations, std::string out)
    : plan_(plan), stations_(std::move(stations)), out_(std::move(out)) {
    for (const SwitchPlan &one : plan.switches)
        switches_.emplace_back(SwitchConfig{plan.nibbleTicks, one.latencyTicks, one.queue});
    ports_.resize(stations_.size());
    for (const LinkPlan &link : plan.links)
        plug(link);
    for (std::size_t n = 0; n < ports_.size(); ++n)
        if (!ports_[n])
            ports_[n] = std::make_unique<Silent>();
}

/// A line from one end of the link; `number`: of the link.
std::unique_ptr<Line> Network::line(const LinkPlan &link, unsigned from, unsigned number) const {
    const LinkPlan::End &end = link.ends[from];
    const unsigned which = end.isSwitch     ? phaseFromSwitch + 2 * number + from
                           : end.number < 2 ? phaseWire + end.number
                                            : phaseFromNode + end.number;
    auto made = std::make_unique<Line>(LineConfig{
        plan_.nibbleTicks, link.delayTicks, phaseFromSeed(plan_.seed, which, plan_.nibbleTicks)});
    auto faults = std::make_unique<Faults>();
    faults->seed = plan_.seed;
    for (const std::string &option : link.faults[from])
        faults->set(option, plan_.ticksPerUs);
    if (faults->any())
        made->suffer(std::move(faults));
    return made;
}

void Network::plug(const LinkPlan &link) {
    const auto number = static_cast<unsigned>(links_.size());
    Link made{{line(link, 0, number), line(link, 1, number)},
              Pcap(plan_.ticksPerUs, out_ + "/" + link.name + ".pcap"),
              {}};
    for (unsigned n = 0; n < 2; ++n) {
        const LinkPlan::End &end = link.ends[n];
        Line &out = *made.lines[n], &in = *made.lines[n ^ 1];
        if (end.isSwitch)
            switches_[end.number].attach(out, in);
        else
            ports_[end.number] = std::make_unique<LinePort>(out, in);
        lookahead_ = std::min(lookahead_, out.lookahead());
    }
    links_.push_back(std::move(made));
}

bool Network::over() const {
    for (std::size_t n = 0; n < stations_.size(); ++n)
        if (plan_.nodes[n].ends && stations_[n]->exitCode(now_) < 0)
            return false;
    return true;
}

/// Ticks from now on in which no station hears anything and no switch does.
uint64_t Network::quietTicks() const {
    uint64_t ticks = std::min(mostQuiet, plan_.maxTicks - now_ - 1);
    for (std::size_t n = 0; n < stations_.size(); ++n)
        ticks = std::min(ticks, stations_[n]->quietTicks(*ports_[n]));
    for (const Switch &one : switches_)
        ticks = std::min(ticks, one.next(now_) - now_);
    return ticks;
}

void Network::run(const std::function<bool(unsigned)> &waits, uint64_t patience) {
    while (!over()) {
        if (now_ >= plan_.maxTicks)
            throw RunError("gave up at tick " + std::to_string(now_) + " (max_ticks).");
        now_ += (quietTicks() / lookahead_ + 1) * lookahead_;
        for (std::size_t n = 0; n < stations_.size(); ++n)
            stations_[n]->advance(now_, *ports_[n]);
        for (Switch &one : switches_)
            one.advance(now_);
        if (now_ - looked_ > betweenLooks)
            look(waits, patience);
    }
    collect();
}

void Network::look(const std::function<bool(unsigned)> &waits, uint64_t patience) {
    if (now_ / betweenLooks / progressLooks != looked_ / betweenLooks / progressLooks)
        std::fprintf(stderr, "progress 0 %" PRIu64 "\n", now_);
    looked_ = now_;
    for (Station *station : stations_)
        station->checkHang(now_, patience);
    bool stirs = collect() || !silent();
    for (unsigned n = 0; n < stations_.size() && !stirs; ++n)
        stirs = stations_[n]->exitCode(now_) < 0 && !waits(n);
    if (stirs)
        stirred_ = now_;
    if (now_ - stirred_ < patience)
        return;
    std::string who;
    for (std::size_t n = 0; n < stations_.size(); ++n)
        if (stations_[n]->exitCode(now_) < 0)
            who += (who.empty() ? "" : ", ") + plan_.nodes[n].name;
    throw RunError("no frame is on its way since tick " + std::to_string(stirred_) +
                   ", and these nodes wait for a frame: " + who + ".");
}

/// No frame is on a link or in a switch.
bool Network::silent() const {
    const auto still = [this](const auto &line) {
        return line->since() == Line::never && line->nextStrobe(now_) == Line::never;
    };
    return std::all_of(switches_.begin(), switches_.end(),
                       [](const Switch &one) { return one.empty(); }) &&
           std::all_of(links_.begin(), links_.end(), [&](const Link &link) {
               return still(link.lines[0]) && still(link.lines[1]);
           });
}

/// Take the frames that have passed since; false: none has.
bool Network::collect() {
    constexpr uint64_t late = 1000; // as Testbed
    bool any = false;
    for (Link &link : links_) {
        for (unsigned n = 0; n < 2; ++n) {
            auto &passed = link.lines[n]->passed;
            any |= !passed.empty();
            link.sent[n] += passed.size();
            for (Passage &one : passed)
                link.frames.frames.push_back(std::move(one));
            passed.clear();
        }
        const uint64_t known = std::min({now_, link.lines[0]->since(), link.lines[1]->since()});
        if (known >= late)
            link.frames.settle(known - late);
    }
    return any;
}

void Network::write(double seconds, const std::function<uint64_t(unsigned)> &ended) {
    using Json = nlohmann::ordered_json;
    collect();
    Json all = {{"ticks", now_}, {"wall_seconds", seconds}};
    all["links"] = all["switches"] = Json::array();
    for (std::size_t n = 0; n < links_.size(); ++n) {
        Link &link = links_[n];
        link.frames.write(out_ + "/" + plan_.links[n].name + ".pcap");
        Json one = {{"name", plan_.links[n].name}, {"frames", link.sent}};
        for (unsigned from = 0; from < 2; ++from)
            one["faults"].push_back(counted(link.lines[from]->counts));
        all["links"].push_back(one);
    }
    for (std::size_t n = 0; n < switches_.size(); ++n) {
        const Switch::Counts &c = switches_[n].counts;
        all["switches"].push_back({{"name", plan_.switches[n].name},
                                   {"forwarded", c.forwarded},
                                   {"flooded", c.flooded},
                                   {"filtered", c.filtered},
                                   {"damaged", c.damaged},
                                   {"dropped", c.dropped}});
    }
    for (unsigned n = 0; n < stations_.size(); ++n) {
        const int code = stations_[n]->exitCode(now_);
        all["exit_codes"].push_back(code < 0 ? Json() : Json(code));
        all["ended"].push_back(code < 0 ? Json() : Json(ended(n)));
        all["instructions"].push_back(stations_[n]->issued());
        stations_[n]->write(out_);
    }
    std::ofstream(out_ + "/run.json") << all.dump(1) << '\n';
}

} // namespace mcpi
