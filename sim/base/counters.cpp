// SPDX-License-Identifier: BSD-2-Clause
#include "counters.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "error.h"

namespace mcpi {

std::map<std::string, uint64_t> WindowTable::of(const NodeInfo &info, unsigned window) const {
    std::map<std::string, uint64_t> sums;
    for (unsigned set = 0; set < ticks.size(); ++set)
        for (unsigned owner = 0; owner < info.owners.size() && set >> (window - 1) & 1; ++owner) {
            sums["ticks"] += ticks[set][owner];
            sums["owner." + info.owners[owner]] += ticks[set][owner];
        }
    sums["instructions"] = sums["owner.issue"];
    const auto found = invocations.find(info.windows.at(window - 1));
    if (found != invocations.end())
        sums["invocations"] = found->second;
    return sums;
}

std::string WindowTable::nameOf(const NodeInfo &info, unsigned set) {
    std::string name;
    for (unsigned n = 0; n < info.windows.size(); ++n)
        if (set >> n & 1)
            name += (name.empty() ? "" : "+") + info.windows[n];
    return name;
}

namespace {

/// Sets that have no tick are left out.
nlohmann::ordered_json sets(const NodeInfo &info, const WindowTable &table) {
    auto json = nlohmann::ordered_json::object();
    for (unsigned set = 0; set < table.ticks.size(); ++set) {
        nlohmann::ordered_json owners;
        bool some = false;
        for (unsigned owner = 0; owner < info.owners.size(); ++owner) {
            owners["owner." + info.owners[owner]] = table.ticks[set][owner];
            some |= table.ticks[set][owner] != 0;
        }
        if (some)
            json[WindowTable::nameOf(info, set)] = owners;
    }
    return json;
}

} // namespace

void writeCounters(const std::string &path, const NodeInfo &info,
                   const std::vector<Counters> &nodes) {
    nlohmann::ordered_json json;
    json["nodes"] = nlohmann::ordered_json::array();
    for (const auto &n : nodes) {
        auto &node = json["nodes"].emplace_back();
        node = {{"all", n.all}, {"path", n.path}};
        for (unsigned window = 2; window <= info.windows.size() && n.further; ++window)
            node["windows"][info.windows[window - 1]] = n.windows.of(info, window);
        if (n.further)
            node["sets"] = sets(info, n.windows);
    }
    std::ofstream out(path);
    out << json.dump(1) << '\n';
    if (!out.flush())
        throw UserError(path + ": cannot be written.");
}

} // namespace mcpi
