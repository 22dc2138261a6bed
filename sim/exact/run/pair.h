// SPDX-License-Identifier: BSD-2-Clause
// Two exact nodes and the Ethernet between them, from reset to the last file written.
#pragma once
#include <array>
#include <chrono>
#include <memory>

#include "log/events.h"
#include "testbed/medium.h"
#include "watched_node.h"

namespace mcpi::exact {

class Pair {
  public:
    explicit Pair(const Options &options);
    /// Copy the other's state: both go on, each by itself; the copy's files go to `out`.
    Pair(const Pair &other, const std::string &out);
    Pair(const Pair &) = delete;

    /// Lives on until this tick, or until both nodes have exited.
    void liveUntil(uint64_t tick);
    /// Runs to the end and writes every file. RunError says what went wrong; files that help to
    /// find out are written all the same.
    void run();

  private:
    struct Sink;
    void attach();
    void begin();
    void window();
    bool over() const;
    void advance(unsigned number);
    uint64_t quietWindows() const;
    void progress(bool now);
    void writeFiles();
    void judge() const;

    Options options_;
    std::shared_ptr<const Machine> machine_;
    NodeInfo info_;
    Medium medium_;
    std::array<WatchedNode, 2> nodes_;
    Measurement measurement_;
    EventLog events_;
    std::vector<Passage> frames_;
    uint64_t now_ = 0, looked_ = 0;
    std::chrono::steady_clock::time_point begun_, said_;
};

} // namespace mcpi::exact
