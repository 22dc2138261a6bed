// SPDX-License-Identifier: BSD-2-Clause
// Several exact nodes on a network (scenario.md).
#pragma once
#include <string>

namespace mcpi::exact {

/// Run the plan in the file to its end; files go to `out`. UserError or RunError as of a pair.
void runScenario(const std::string &plan, const std::string &out);

} // namespace mcpi::exact
