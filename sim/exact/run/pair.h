// SPDX-License-Identifier: BSD-2-Clause
// Two exact nodes on the testbed.
#pragma once
#include "testbed/testbed.h"
#include "watched_node.h"

namespace mcpi::exact {

class Pair : public Testbed {
  public:
    explicit Pair(const Options &options);
    /// Copy the other's state: both go on, each by itself; the copy's files go to `out`.
    Pair(const Pair &other, const std::string &out);

  protected:
    WatchedNode &node(unsigned number) { return nodes_[number]; }

  private:
    Pair(const Options &options, std::shared_ptr<const Machine> machine);
    void attachNodes();

    std::array<WatchedNode, 2> nodes_;
};

} // namespace mcpi::exact
