// SPDX-License-Identifier: BSD-2-Clause
// A node on a silent wire, with a guest that PALcode starts.
#pragma once
#include <cstdint>
#include <string>

namespace mcpi::exact {

/// Runs until the guest exits, and prints its console; its exit code. RunError if the guest halts
/// or is not done at tick `most`. `phase`: tick of the first timer interrupt, 0: one period;
/// `file`: of every tick, empty: none.
int runAlone(const std::string &machine, const std::string &pal, const std::string &image,
             uint64_t phase, uint64_t most, const std::string &file);

} // namespace mcpi::exact
