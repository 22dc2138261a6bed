// SPDX-License-Identifier: BSD-2-Clause
// Values of the boot-parameter block (docs/reference/contracts.md 7) and their defaults.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "machine.h"

namespace mcpi {

/// Every field for node `node` of two; `given` are `field=value` texts laid over the defaults
/// (numbers; `mac` also as 08:00:2b:00:00:01, `ip` and `netmask` also as 10.0.0.1).
std::map<std::string, uint64_t> bootFields(const Machine &machine, uint64_t node,
                                           const std::vector<std::string> &given);

} // namespace mcpi
