// SPDX-License-Identifier: BSD-2-Clause
// Two boards without hardware: Verilated nodes and the wire, each host link on a pseudo-terminal,
// byte for byte as behind a UART (boards.md). A program that opens them loads and runs
// the nodes.
#pragma once
#include <memory>
#include <vector>

#include "host/terminal.h"
#include "node.h"
#include "testbed/options.h"

namespace mcpi {

class SimulatedBoards {
  public:
    explicit SimulatedBoards(const Options &options);

    /// Until standard input ends. Virtual time begins when both nodes could tick, and is over when
    /// one no longer does; then it may begin again.
    void run();

  private:
    struct Board {
        std::unique_ptr<Node> node;
        std::unique_ptr<Terminal> terminal;
    };

    uint64_t boardRegister(Board &b, unsigned number, const uint64_t *written);
    bool exchange();
    bool hostIsThere(int milliseconds);
    bool await();
    bool session();

    Options options_;
    Machine machine_;
    NodeInfo info_;
    std::vector<Board> boards_;
};

} // namespace mcpi
