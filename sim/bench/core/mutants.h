// SPDX-License-Identifier: BSD-2-Clause
// Mutants of the Verilog, many in one program, judged one by one (docs/verification/mutation.md).
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "bench.h"

namespace mcpi {

/// Runs a bench that has not begun as it is, then with each of `mutants`, each time in a process of
/// its own. Prints a line for each: `mutant 17 model`, `ticks`, `hangs` or `survives`. `tell` gives
/// what a run says when it is over.
void judgeMutants(CoreBench &bench, uint64_t instructions, const std::vector<unsigned> &mutants,
                  const std::function<std::string()> &tell);

} // namespace mcpi
