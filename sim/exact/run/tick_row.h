// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <ostream>

#include "exact/core/core.h"

namespace mcpi::exact {

/// Write a row of ticks.csv, or of ticks.K.csv, which has causes (simulator.md).
void writeTickRow(std::ostream &out, const TickRun &run, bool withCause);

} // namespace mcpi::exact
