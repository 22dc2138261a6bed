// SPDX-License-Identifier: BSD-2-Clause
// Two Verilated nodes on the testbed.
#pragma once
#include "station.h"
#include "testbed/testbed.h"

namespace mcpi {

class Simulation : public Testbed {
  public:
    explicit Simulation(const Options &options);

  protected:
    std::array<std::unique_ptr<RtlStation>, 2> nodes_;

  private:
    void begin() override;
    void look() override;
    void finish() override;
    void failed(const RunError &error) override;
    void writeFiles() override;
    void judge(unsigned number) const override;

    void askWhetherOver();
    void settle();
    void settleAfterFailure();
    void consultOracles();
};

} // namespace mcpi
