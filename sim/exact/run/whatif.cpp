// SPDX-License-Identifier: BSD-2-Clause
#include "whatif.h"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"
#include "pair.h"

namespace mcpi::exact {
namespace {

using Json = nlohmann::json;
using Experiment = std::vector<FunctionOwner>;

constexpr uint64_t times = 10; ///< so many times the path's ticks may take no time in a row

struct Plan {
    std::array<std::shared_ptr<const FunctionMap>, 2> functions; ///< null: none of the node vanish
    std::vector<Experiment> experiments;
};

Owner owner(const std::string &name) {
    const auto found = std::find(ownerNames.begin(), ownerNames.end(), name);
    if (found == ownerNames.end())
        throw UserError("--whatif: " + name + ": there is no such owner.");
    return static_cast<Owner>(found - ownerNames.begin());
}

Plan read(const std::string &file) {
    std::ifstream stream(file);
    if (!stream)
        throw UserError("--whatif " + file + ": cannot be read.");
    try {
        const Json json = Json::parse(stream);
        Plan plan;
        for (unsigned n = 0; n < 2; ++n) {
            std::vector<FunctionMap::Range> ranges;
            for (const Json &one : json.at("nodes").at(n))
                ranges.push_back({one.at(0), one.at(1), one.at(2)});
            if (!ranges.empty())
                plan.functions[n] = std::make_shared<FunctionMap>(ranges);
        }
        for (const Json &one : json.at("experiments")) {
            plan.experiments.emplace_back();
            for (const Json &pair : one)
                plan.experiments.back().emplace_back(pair.at(0).get<unsigned>(),
                                                     owner(pair.at(1).get<std::string>()));
        }
        return plan;
    } catch (const Json::exception &error) {
        throw UserError("--whatif " + file + ": " + error.what());
    }
}

/// Two nodes whose ticks may vanish.
class Copy : public Pair {
  public:
    Copy(const Options &options, const Plan &plan) : Pair(options) {
        for (unsigned n = 0; n < 2; ++n)
            node(n).watchVanishing(plan.functions[n]);
    }
    explicit Copy(const Copy &other) : Pair(other, other.options_.out) {}

    /// Up to the measurement's start; what the program measures from its beginning starts there.
    void warm() {
        if (!MarkerTable(node(0).program().markers).has(actionEvent, eventMeasureStart))
            return;
        while (!clock().measures()) {
            const uint64_t before = now_;
            runUntil(now_ + 1);
            if (now_ == before)
                throw RunError("the guests have ended, and no measurement has begun.");
        }
    }
    /// To the end, while the ticks of `which` take no time.
    Json run(const Experiment &which, uint64_t most) {
        for (unsigned n = 0; n < 2; ++n)
            node(n).vanishing()->vanish(which, most);
        try {
            runUntil(~uint64_t{0});
        } catch (const RunError &error) {
            return {{"failed", error.what()}};
        }
        for (unsigned n = 0; n < 2; ++n)
            judge(n);
        Json result = {{"ticks", clock().measures() ? clock().roundTrips() : node(0).ended()},
                       {"round_trips", clock().trips()}};
        result["vanished"] = node(0).vanishing()->vanished() + node(1).vanishing()->vanished();
        result["owners"] = Json::object();
        for (const auto &[which, ticks] : pathTicks()) {
            Json &sum = result["owners"][ownerNames[static_cast<unsigned>(which.second)]];
            sum = sum.is_null() ? ticks : sum.get<uint64_t>() + ticks;
        }
        return result;
    }
    /// Ticks of each function and owner, of both nodes.
    Json ticks() {
        Json found = Json::array();
        for (const auto &[which, ticks] : pathTicks())
            found.push_back({which.first, ownerNames[static_cast<unsigned>(which.second)], ticks});
        return found;
    }

  private:
    std::map<FunctionOwner, uint64_t> pathTicks() {
        auto found = node(0).vanishing()->ticks();
        for (const auto &[which, ticks] : node(1).vanishing()->ticks())
            found[which] += ticks;
        return found;
    }
    /// Its markers are the round trip's.
    const Vanishing &clock() { return *node(0).vanishing(); }
};

} // namespace

void whatIf(const Options &options) {
    const Plan plan = read(options.whatIf);
    Copy first(options, plan);
    first.warm();
    Json results = {{"experiments", Json::array()}};
    Copy plain(first);
    results["plain"] = plain.run({}, 0);
    if (results["plain"].contains("failed"))
        throw RunError(results["plain"]["failed"].get<std::string>());
    results["ticks"] = plain.ticks();
    uint64_t path = 0;
    for (const Json &one : results["ticks"])
        path += one.at(2).get<uint64_t>();
    for (const Experiment &one : plan.experiments) {
        results["experiments"].push_back(Copy(first).run(one, times * path));
        std::fprintf(stderr, "progress %zu 0\n", results["experiments"].size());
    }
    std::ofstream file(options.out + "/whatif.json");
    file << results.dump() << '\n';
    if (!file.flush())
        throw UserError(options.out + "/whatif.json: cannot be written.");
}

} // namespace mcpi::exact
