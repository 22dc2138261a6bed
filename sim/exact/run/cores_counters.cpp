// SPDX-License-Identifier: BSD-2-Clause
// counters.json and run.json of several cores. JSON's templates cost a compiler more than all of
// cores.cpp.
#include <nlohmann/json.hpp>

#include "cores.h"

namespace mcpi::exact {

void Cores::writeCounters() const {
    nlohmann::ordered_json json = {{"ticks", to_ - from_},
                                   {"machine",
                                    {{"snoop.requests", bus_.requests - busFrom_.requests},
                                     {"snoop.data_ticks", bus_.data - busFrom_.data},
                                     {"snoop.busy_ticks", bus_.busy - busFrom_.busy}}}};
    json["cores"] = nlohmann::ordered_json::array();
    for (unsigned n = 0; n < copies_.size(); ++n) {
        const Counters &c = copies_[n];
        auto &core = json["cores"].emplace_back();
        core = {{"all", c.all}, {"path", c.path}};
        for (unsigned window = 2; window <= info_.windows.size(); ++window)
            core["windows"][info_.windows[window - 1]] = c.windows.of(info_, window);
    }
    std::ofstream(options_.out + "/counters.json") << json.dump(1) << '\n';
    json = {{"ticks", node_->now()}, {"exit_code", node_->system().exitCode}};
    for (const Issued &one : issued_)
        json["instructions"].push_back(one.instructions);
    std::ofstream(options_.out + "/run.json") << json.dump(1) << '\n';
}

} // namespace mcpi::exact
