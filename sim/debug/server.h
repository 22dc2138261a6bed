// SPDX-License-Identifier: BSD-2-Clause
// GDB's remote protocol: each of two machines is a process of one thread, node 0 is process 1;
// cores of one machine are threads of process 1. Memory and registers can be read alone, since the
// run must stay the same each time.
#pragma once
#include "monitor.h"
#include "packets.h"

namespace mcpi::debug {

class Server {
  public:
    Server(Timeline &timeline, Packets &packets);
    /// Answer until the debugger goes.
    void run();

  private:
    using Text = std::string;
    bool answer(const Text &packet, Text &reply);
    Text query(const Text &packet);
    Text breakpoint(const Text &packet);
    Text registers() const;
    Text oneRegister(unsigned number) const;
    Text memory(const Text &packet) const;
    Text resumed(const Text &packet);
    Text moves(bool backward, std::optional<unsigned> steps);
    Text stopped(const Text &why, unsigned node);
    Text exited();
    Text reason(const Hit &hit) const;
    Text monitored(const Text &words);
    Text thread(unsigned node) const;
    unsigned nodeOf(const Text &thread) const;
    void say(const Text &text);
    void console();
    unsigned processes() const { return timeline_.now().together() ? 1 : threads_; }

    Timeline &timeline_;
    Packets &packets_;
    unsigned threads_;
    Stops stops_;
    Monitor monitor_;
    unsigned selected_ = 0, moving_ = 0; ///< by Hg, by Hc
    bool multiprocess_ = false;          ///< the debugger knows several processes
    uint64_t stood_ = 0;                 ///< the tick of the last stop
    bool ended_ = false;                 ///< its files are written
    unsigned exited_ = 0;                ///< processes that GDB knows to have exited
    unsigned detached_ = 0;              ///< processes that the debugger has left
    std::array<std::size_t, mostThreads> printed_{};
};

} // namespace mcpi::debug
