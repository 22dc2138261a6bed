// SPDX-License-Identifier: BSD-2-Clause
// Experiments: copies of two nodes, in each of which other ticks take no time.
#pragma once
#include "testbed/options.h"

namespace mcpi::exact {

/// Run to the measurement's start, and from there a copy for each experiment of `options.whatIf`;
/// whatif.json in `options.out` has what each took (simulator.md).
void whatIf(const Options &options);

} // namespace mcpi::exact
