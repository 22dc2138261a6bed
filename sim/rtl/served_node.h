// SPDX-License-Identifier: BSD-2-Clause
// The Verilated node as a station of its own.
#pragma once
#include "loaded_node.h"
#include "testbed/station.h"

namespace mcpi {

class ServedNode : public Station {
  public:
    explicit ServedNode(const Options &options);

    uint64_t quietTicks(const Port &wire) const override { return n_.node->quietTicks(wire); }
    void advance(uint64_t until, Port &wire) override { n_.node->advance(until, wire); }
    void checkHang(uint64_t now, uint64_t patience) override { n_.checkHang(info_, now, patience); }
    int exitCode(uint64_t) const override {
        return n_.node->exited() ? static_cast<int>(n_.node->exitCode()) : -1;
    }
    uint64_t issued() const override { return n_.node->issued(); }
    uint8_t byteAt(uint64_t address) const override { return n_.node->backing.at(address); }
    const std::string &console() override;
    std::string recent() const override { return n_.lockstep ? n_.lockstep->recent() : ""; }

  private:
    Machine machine_;
    NodeInfo info_;
    LoadedNode n_;
};

} // namespace mcpi
