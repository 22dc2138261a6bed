// SPDX-License-Identifier: BSD-2-Clause
// Two nodes and the Ethernet between them, in equal virtual time, from reset to the last file
// written. Each engine brings its nodes.
#pragma once
#include <array>
#include <chrono>
#include <memory>
#include <vector>

#include "base/error.h"
#include "link/pcap.h"
#include "log/events.h"
#include "medium.h"
#include "station.h"

namespace mcpi {

class Testbed : private StationObserver {
  public:
    Testbed(const Testbed &) = delete;

    /// Runs until this tick, or until both nodes have exited.
    void runUntil(uint64_t tick);
    /// Runs to the end and writes every file. RunError says what went wrong; files that help to
    /// find out are written all the same.
    void run();

    /// The last rows of stamps.csv, oldest first, and the frames that were sent last.
    std::string latestStamps(std::size_t rows) const;
    std::vector<Passage> latestFrames(std::size_t count) const;

  protected:
    Testbed(const Options &options, std::shared_ptr<const Machine> machine, NodeInfo info);
    /// Copy the other's state, but for its nodes; files go to `out`.
    Testbed(const Testbed &other, const std::string &out);

    void makeFolders() const;
    void attach(unsigned number, Station &station);
    /// Virtual time may begin: both nodes are attached.
    virtual void begin();
    /// After some thousand ticks: RunError if a node hangs.
    virtual void look();
    /// Both nodes have exited, and their counters are copied.
    virtual void finish() {}
    virtual void failed(const RunError &error);
    virtual void writeFiles();
    /// RunError if the node has not ended well.
    virtual void judge(unsigned number) const;

    void advance();
    /// Virtual time begins, if it has not.
    void start();
    /// `now_` becomes the end of the next window; both nodes are to run to it.
    void openWindow();
    /// They have.
    void closeWindow();
    /// Both nodes have exited.
    bool over() const;
    void collectFrames() { medium_.collect(events_, pcap_.frames); }

    Options options_;
    std::shared_ptr<const Machine> machine_;
    NodeInfo info_;
    Measurement measurement_;
    std::array<Station *, 2> stations_{}; ///< null: not attached yet
    Medium medium_;
    uint64_t now_ = 0;
    bool between_ = true;  ///< both nodes are at `now_`
    bool settled_ = false; ///< the run is over, and all of it is known

  private:
    void marker(unsigned station, uint64_t tick, const Marker &marker) override;
    void coldStart(unsigned station) override;
    void window();
    void settle();
    uint64_t quietWindows() const;
    void progress(bool always);

    EventLog events_;
    Pcap pcap_;
    uint64_t looked_ = 0;
    std::chrono::steady_clock::time_point begun_, said_;
};

} // namespace mcpi
