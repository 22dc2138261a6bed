// SPDX-License-Identifier: BSD-2-Clause
#include "counters.h"

#include "base/error.h"

namespace mcpi {

void controlCounters(HostLink &link, const NodeInfo &info, uint64_t what) {
    link.writeRegister(info.number("counters_control"), what);
}

namespace {
constexpr uint64_t countersBusy = 8; // of `status`
constexpr unsigned patience = 100000;
} // namespace

Counters readCounters(HostLink &link, const NodeInfo &info, unsigned core) {
    const std::string which = core ? "core." + std::to_string(core) + "." : "";
    const auto value = [&](const std::string &name) {
        return link.readRegister(info.number(which + "snapshot." + name));
    };
    for (unsigned n = 0; link.readRegister(info.number("status")) & countersBusy; ++n)
        if (n == patience)
            throw RunError("counters: the copy does not come to an end.");
    Counters counters;
    for (const auto &name : info.counters) {
        counters.all[name] = value("all." + name);
        counters.path[name] = value("path." + name);
    }
    for (unsigned set = 0; set < 1u << info.windows.size(); ++set) {
        auto &ticks = counters.windows.ticks.emplace_back();
        for (const auto &owner : info.owners)
            ticks.push_back(value("set." + std::to_string(set) + "." + owner));
    }
    for (unsigned n = 1; n < info.windows.size(); ++n)
        counters.windows.invocations[info.windows[n]] = value("invocations." + info.windows[n]);
    return counters;
}

} // namespace mcpi
