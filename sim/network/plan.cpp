// SPDX-License-Identifier: BSD-2-Clause
#include "plan.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace mcpi {
namespace {

using Json = nlohmann::json;

NodePlan node(const Json &given) {
    NodePlan plan;
    plan.name = given.at("name");
    plan.machine = given.at("machine");
    plan.files.pal = given.at("pal");
    plan.files.image = given.at("image");
    plan.files.markers = given.value("markers", "");
    plan.files.guard = given.value("guard", "");
    plan.files.boot = given.at("boot").get<std::vector<std::string>>();
    plan.ends = given.at("ends");
    plan.waits = given.at("waits").get<decltype(plan.waits)>();
    return plan;
}

LinkPlan::End end(const Json &given, const NetworkPlan &plan) {
    LinkPlan::End found{given.at(0) == "switch", given.at(1)};
    if (found.number >= (found.isSwitch ? plan.switches.size() : plan.nodes.size()))
        throw UserError("a link ends nowhere: " + given.dump() + ".");
    return found;
}

} // namespace

NetworkPlan readPlan(const std::string &path) {
    std::ifstream in(path);
    try {
        const Json all = Json::parse(in);
        NetworkPlan plan;
        plan.seed = all.at("seed");
        plan.maxTicks = all.at("max_ticks");
        plan.nibbleTicks = all.at("nibble_ticks");
        plan.ticksPerUs = all.at("ticks_per_us");
        for (const Json &one : all.at("nodes"))
            plan.nodes.push_back(node(one));
        for (const Json &one : all.at("switches"))
            plan.switches.push_back({one.at("name"), one.at("latency_ticks"), one.at("queue")});
        for (const Json &one : all.at("links")) {
            LinkPlan link{one.at("name"), one.at("delay_ticks"), {}, {}};
            for (unsigned n = 0; n < 2; ++n) {
                link.ends[n] = end(one.at("ends").at(n), plan);
                link.faults[n] = one.at("faults").at(n).get<std::vector<std::string>>();
            }
            plan.links.push_back(std::move(link));
        }
        return plan;
    } catch (const Json::exception &error) {
        throw UserError(path + ": no plan of a network: " + error.what());
    }
}

} // namespace mcpi
