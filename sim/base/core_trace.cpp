// SPDX-License-Identifier: BSD-2-Clause
#include "core_trace.h"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace mcpi {
namespace {

const std::string kinds[] = {"fetch", "prefetch", "load", "write"}; // rtl/bus/MemoryBus.scala

} // namespace

std::vector<TracedEvent> tracedEvents(const NodeInfo &info, bool ofCore) {
    const bool isPrivate = info.trace.count("cache.access");
    const std::string bundle = ofCore ? "events." : isPrivate ? "cache." : "memory.";
    std::vector<TracedEvent> found;
    for (const EventFields &row : eventFields) {
        if (row.ofCore != ofCore)
            continue;
        TracedEvent one = {row.event, {}};
        bool has = true;
        std::istringstream words(isPrivate ? row.privately : row.fields);
        for (std::string word; words >> word;) {
            const bool isKind = word.rfind("kind.", 0) == 0;
            const auto field = info.trace.find(bundle + (isKind ? "kind" : word));
            has &= field != info.trace.end();
            if (!has)
                break;
            const auto kind =
                std::find(std::begin(kinds), std::end(kinds), isKind ? word.substr(5) : "") -
                std::begin(kinds);
            one.fields.emplace_back(field->second, isKind ? kind : 1);
        }
        if (has && !one.fields.empty())
            found.push_back(one);
    }
    return found;
}

} // namespace mcpi
