// SPDX-License-Identifier: BSD-2-Clause
#include "linked_counters.h"

#include "base/error.h"

namespace mcpi {
namespace {

constexpr uint64_t statusEnded = 32; // docs/reference/contracts.md 5

} // namespace

void LinkedCounters::control(uint64_t what) {
    controlCounters(link_, info_, what);
    if (oracle_)
        oracle_->control(what);
}

void LinkedCounters::startCold(uint64_t address, unsigned parts) {
    link_.writeRegister(info_.number("cold_address"), address);
    link_.writeRegister(info_.number("cold_number"), 1); // nothing has issued at address 0
    if (parts > 1 && oracle_)
        oracle_->coldEndsByHost();
}

Counters LinkedCounters::copy() {
    Counters counters = readCounters(link_, info_);
    if (byRegisters_ && !(link_.readRegister(info_.number("status")) & statusEnded))
        throw RunError("the invocations that measure_to counts did not come.");
    return counters;
}

Counters LinkedCounters::now() {
    controlCounters(link_, info_, countersSnapshot);
    return readCounters(link_, info_);
}

void LinkedCounters::leavesCold() {
    if (oracle_)
        oracle_->replay.reset();
}

} // namespace mcpi
