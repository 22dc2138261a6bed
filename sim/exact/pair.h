// SPDX-License-Identifier: BSD-2-Clause
// Two exact nodes and the Ethernet between them, from reset to the last file written.
#pragma once
#include <array>
#include <memory>

#include "app/medium.h"
#include "app/options.h"
#include "base/markers.h"
#include "base/program.h"
#include "engine/node.h"
#include "trace/events.h"
#include "trace/ticklog.h"

namespace mcpi::exact {

class Pair {
  public:
    explicit Pair(const Options &options);
    /// RunError says what went wrong.
    void run();

  private:
    struct Machinery {
        std::unique_ptr<Node> node;
        std::unique_ptr<MarkerTable> markers;
        std::unique_ptr<TickLog> log;
        Program program;
        uint64_t instructions = 0, issued = 0, pc = 0; ///< of the last: its tick, where it is
    };
    void prepare(unsigned number);
    void loop();
    void checkHang() const;
    void advance(unsigned number, uint64_t until);
    void observe(unsigned number, const Lived &lived);
    uint64_t quietWindows() const;
    void writeFiles();

    Options options_;
    Machine machine_;
    Medium medium_;
    std::array<Machinery, 2> m_;
    EventLog events_;
    std::vector<Passage> frames_;
    uint64_t now_ = 0;
};

} // namespace mcpi::exact
