// SPDX-License-Identifier: BSD-2-Clause
#include "counter_invariants.h"

#include "base/error.h"

namespace mcpi {
namespace {

/// The counter `sum` is the sum of `parts`.
struct Identity {
    const char *sum;
    std::vector<const char *> parts;
};

const Identity identities[] = {
    {"owner.issue", {"instructions"}},
    {"icache.accesses", {"instructions"}},
    {"clocks", {"ticks", "withheld"}},
    {"bcache.accesses", {"bcache.fetches", "bcache.prefetches", "bcache.loads", "bcache.writes"}},
    {"write_buffer.writes", {"bcache.writes"}},
};

void check(const std::string &where, const std::string &sum, uint64_t is, uint64_t parts,
           const std::string &what) {
    if (is != parts)
        throw RunError(where + sum + " = " + std::to_string(is) + " is not " + what + " = " +
                       std::to_string(parts) + ".");
}

} // namespace

void checkInvariants(unsigned node, const NodeInfo &info, const Counters &counters) {
    for (const auto *bank : {&counters.all, &counters.path}) {
        const std::string where = "counters: node " + std::to_string(node) +
                                  (bank == &counters.all ? ", everything: " : ", window 1: ");
        uint64_t owners = 0;
        for (const auto &[name, value] : *bank)
            if (name.rfind("owner.", 0) == 0)
                owners += value;
        check(where, "ticks", bank->at("ticks"), owners, "the sum of the owners");
        for (const auto &i : identities) {
            uint64_t parts = 0;
            std::string what;
            for (const char *part : i.parts) {
                parts += bank->at(part);
                what += (what.empty() ? "" : " + ") + std::string(part);
            }
            check(where, i.sum, bank->at(i.sum), parts, what);
        }
        const auto &ticks = counters.windows.ticks;
        for (unsigned owner = 0; owner < info.owners.size(); ++owner) {
            uint64_t cells = 0;
            for (unsigned set = 0; set < ticks.size(); ++set)
                if (bank == &counters.all || set & 1)
                    cells += ticks[set][owner];
            const std::string name = "owner." + info.owners[owner];
            check(where, name, bank->at(name), cells, "the sum of its cells");
        }
    }
}

} // namespace mcpi
