// SPDX-License-Identifier: BSD-2-Clause
#include "replay.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"

namespace mcpi {
namespace {

using memory::Arrival;
using memory::Kind;
using memory::Step;

const char *name(const Step &step) {
    switch (step.kind) {
    case Kind::load:
        return "load";
    case Kind::store:
        return "store";
    case Kind::conditional: // one that fails touches nothing
        return !step.stored ? "" : step.address >> 32 ? "io" : "store";
    case Kind::io:
        return "io";
    case Kind::barrier:
        return "barrier";
    default:
        return "";
    }
}

} // namespace

void Replay::step(const Step &s, bool counts) {
    const bool kept = counts && s.what == Step::What::issue;
    if (kept) {
        trace_.push_back(s);
        // Behind what was left out, fetching begins anew, as behind a jump.
        if (!follows_ || s.arrival != Arrival::sequential)
            trace_.back().arrival = Arrival::redirected;
    }
    follows_ = kept;
}

void Replay::decided(bool stores) {
    if (follows_ && trace_.back().kind == Kind::conditional)
        trace_.back().stored = stores;
}

std::map<std::string, uint64_t> Replay::counters() const {
    std::map<std::string, uint64_t> sums = {{"instructions", trace_.size()}};
    memory::TraceDriven model(geometry_);
    model.onTick = [](uint64_t) {};
    model.onEvent = [&sums](uint64_t, Event event) { ++sums[nameOf(event)]; };
    uint64_t last = 0;
    for (const auto &s : trace_)
        last = model.paced(s);
    sums["ticks"] = last + 1;
    return sums;
}

void Replay::write(const std::string &folder) const {
    std::ofstream trace(folder + "/cold_trace.csv");
    trace << "pc,kind,address\n";
    for (const auto &s : trace_) {
        trace << hex(s.pc) << ',' << name(s) << ',';
        if (s.kind == Kind::load || std::string_view(name(s)) == "store")
            trace << hex(s.address);
        trace << '\n';
    }
    std::ofstream sums(folder + "/replay.json");
    sums << nlohmann::ordered_json(counters()).dump(1) << '\n';
    if (!trace.flush() || !sums.flush())
        throw UserError(folder + "/replay.json: cannot be written.");
}

} // namespace mcpi
