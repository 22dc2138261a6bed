// SPDX-License-Identifier: BSD-2-Clause
// The exact engine's node as a station of its own.
#pragma once
#include "testbed/station.h"
#include "watched_node.h"

namespace mcpi::exact {

class ServedNode : public Station {
  public:
    explicit ServedNode(const Options &options);

    uint64_t quietTicks(const Port &wire) const override;
    void advance(uint64_t until, Port &wire) override;
    void checkHang(uint64_t now, uint64_t patience) override { node_.checkHang(now, patience); }
    int exitCode(uint64_t now) const override {
        return node_.ended(now) ? static_cast<int>(node_.exitCode()) : -1;
    }
    uint64_t issued() const override { return node_.instructions(); }
    uint8_t byteAt(uint64_t address) const override { return node_.byteAt(address); }
    const std::string &console() override { return node_.system().console; }

  private:
    bool skips_;
    WatchedNode node_;
};

} // namespace mcpi::exact
