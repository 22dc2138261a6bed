// SPDX-License-Identifier: BSD-2-Clause
// Two boards without hardware: Verilated nodes and the wire, each host link on a pseudo-terminal,
// byte for byte as behind a UART (docs/boards.md). Who holds the terminals loads and runs them.
#pragma once
#include <memory>
#include <vector>

#include "node.h"
#include "options.h"
#include "terminal.h"

namespace mcpi {

class SerialNodes {
  public:
    explicit SerialNodes(const Options &options);

    /// Until standard input ends. Virtual time begins when both nodes could tick, and is over when
    /// one no longer does; then it may begin again.
    void run();

  private:
    struct Board {
        std::unique_ptr<Node> node;
        std::unique_ptr<Terminal> terminal;
        std::unique_ptr<Line> line; ///< from this node to the other
        std::unique_ptr<Port> port;
    };

    uint64_t boardRegister(Board &b, unsigned number, const uint64_t *written);
    bool exchange();
    bool hostIsThere(int milliseconds);
    bool await();
    bool session();

    Options options_;
    NodeInfo info_;
    LineConfig wire_;
    uint64_t ticksPerUs_ = 0;
    std::vector<Board> boards_;
};

} // namespace mcpi
