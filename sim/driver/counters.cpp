// SPDX-License-Identifier: BSD-2-Clause
#include "counters.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "error.h"

namespace mcpi {

void controlCounters(HostLink &link, const NodeInfo &info, uint64_t what) {
    link.writeRegister(info.number("counters_control"), what);
}

Counters readCounters(HostLink &link, const NodeInfo &info) {
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
