// SPDX-License-Identifier: BSD-2-Clause
#include "counters.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "error.h"

namespace mcpi {

void controlCounters(HostLink &link, const NodeInfo &info, uint64_t what) {
    link.writeRegister(info.number("counters_control"), what);
}

namespace {
constexpr uint64_t countersBusy = 8; // of `status`
constexpr unsigned patience = 100000;
} // namespace

Counters readCounters(HostLink &link, const NodeInfo &info) {
    for (unsigned n = 0; link.readRegister(info.number("status")) & countersBusy; ++n)
        if (n == patience)
            throw RunError("counters: the copy does not come to an end.");
    Counters counters;
    for (const auto &name : info.counters) {
        counters.all[name] = link.readRegister(info.number("snapshot.all." + name));
        counters.path[name] = link.readRegister(info.number("snapshot.path." + name));
    }
    return counters;
}

void writeCounters(const std::string &path, const std::vector<Counters> &nodes) {
    nlohmann::ordered_json json;
    json["nodes"] = nlohmann::ordered_json::array();
    for (const auto &n : nodes)
        json["nodes"].push_back({{"all", n.all}, {"path", n.path}});
    std::ofstream out(path);
    out << json.dump(1) << '\n';
    if (!out.flush())
        throw UserError(path + ": cannot be written.");
}

} // namespace mcpi
