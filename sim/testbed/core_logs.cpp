// SPDX-License-Identifier: BSD-2-Clause
#include "core_logs.h"

#include <algorithm>

#include "base/address.h"

namespace mcpi {

CoreLogs::CoreLogs(const std::vector<std::string> &owners, unsigned cores,
                   const CoreLogOptions &options, const std::string &folder)
    : folder_(folder), stamps_(options.passages, folder, Pack{}) {
    idle_ = static_cast<unsigned>(std::find(owners.begin(), owners.end(), "idle") - owners.begin());
    for (unsigned n = 0; n < cores; ++n)
        cores_.emplace_back(owners, options.tickLog == static_cast<int>(n), options.passages,
                            windowPath, folder);
}

void CoreLogs::marker(unsigned core, uint64_t tick, const Marker &marker) {
    stamps_.addMarker(tick, core, marker);
    cores_[core].marker(marker);
}

void CoreLogs::tick(unsigned core, uint64_t tick, unsigned owner, uint64_t pc, uint64_t count,
                    uint64_t events, uint64_t again) {
    TickLog &log = cores_[core];
    if (!log.open())
        return;
    const uint64_t row = owner == idle_ ? count : 1;
    for (uint64_t n = 0; n < count; n += row) {
        log.tick(tick + n, owner, pc & physicalMask, row);
        for (const Event event : loggedEvents)
            for (const uint64_t which : {events, again})
                log.event(which >> static_cast<unsigned>(event) & 1, event);
    }
}

void CoreLogs::write() {
    stamps_.write(folder_);
    for (unsigned n = 0; n < cores_.size(); ++n)
        cores_[n].write(folder_, n);
}

} // namespace mcpi
