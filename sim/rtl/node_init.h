// SPDX-License-Identifier: BSD-2-Clause
// Brings a held node to the point where it may run: RAM, run-time registers, comparators.
#pragma once
#include "base/program.h"
#include "host/hostlink.h"
#include "sdram_model.h"

namespace mcpi {

/// RAM by the back door or through the link; the same bytes either way, which is checked.
void loadProgram(const Program &program, SdramModel &ram, HostLink &link, bool byLink);

/// Every run-time parameter, the comparators, timer phase and node number.
void writeRegisters(const Machine &machine, const NodeInfo &info, const NodeOptions &given,
                    uint64_t seed, unsigned number, const Program &program, HostLink &link);

} // namespace mcpi
