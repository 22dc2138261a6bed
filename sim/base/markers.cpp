// SPDX-License-Identifier: BSD-2-Clause
#include "markers.h"

#include <string>

#include "error.h"

namespace mcpi {
namespace {

constexpr uint64_t memoryMask = (uint64_t{1} << 26) - 1;

} // namespace

MarkerTable::MarkerTable(const std::vector<Marker> &markers) {
    for (const auto &m : markers) {
        if (m.action < actionOpen || m.action > actionEvent)
            throw UserError("a marker has action " + std::to_string(m.action) +
                            "; firmware/platform/marker.h knows 1 to 6.");
        const auto physical = static_cast<uint32_t>(m.address & memoryMask);
        filter_[physical >> 2 & (filterSize - 1)] = 1;
        byAddress_[physical].push_back(m);
    }
}

const std::vector<Marker> *MarkerTable::find(uint32_t physical) const {
    const auto it = byAddress_.find(physical);
    return it == byAddress_.end() ? nullptr : &it->second;
}

bool MarkerTable::has(uint32_t action, uint32_t window) const {
    for (const auto &[address, markers] : byAddress_)
        for (const auto &m : markers)
            if (m.action == action && m.window == window)
                return true;
    return false;
}

} // namespace mcpi
