// SPDX-License-Identifier: BSD-2-Clause
// A Verilated node's counters: its host registers, and the oracle that counts beside them.
#pragma once
#include "check/oracle.h"
#include "host/counters.h"
#include "testbed/measurement.h"

namespace mcpi {

class LinkedCounters : public CounterHost {
  public:
    /// `oracle`: null if there is none. `byRegisters`: the node measures by itself.
    LinkedCounters(HostLink &link, const NodeInfo &info, Oracle *oracle, bool byRegisters)
        : link_(link), info_(info), oracle_(oracle), byRegisters_(byRegisters) {}

    void control(uint64_t what) override;
    void startCold(uint64_t address, unsigned parts) override;
    Counters copy() override;
    Counters now() override;
    void leavesCold() override;

  private:
    HostLink &link_;
    const NodeInfo &info_;
    Oracle *oracle_;
    bool byRegisters_;
};

} // namespace mcpi
