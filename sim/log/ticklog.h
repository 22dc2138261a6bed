// SPDX-License-Identifier: BSD-2-Clause
// Every tick of one window of a node: its owner, the instruction, what else was counted in it.
// Each is a row, or is added to its passage of the window, or both.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/markers.h"
#include "base/spool.h"
#include "passages.h"
#include "tickrow.h"

namespace mcpi {

class TickLog {
  public:
    /// `window`: the number of the one that is watched. Files are in `folder`.
    TickLog(std::vector<std::string> owners, bool rows, bool passages, unsigned window,
            const std::string &folder)
        : owners_(std::move(owners)), window_(window), keepsRows_(rows),
          text_(folder + "/ticks.csv") {
        text_.text = TickRow::head;
        if (passages)
            passages_.emplace(owners_);
    }

    void marker(const Marker &marker);
    /// Return true if the next tick is in the window; others need not be logged.
    bool open() const { return open_ && !paused_; }
    /// `pc`: of the instruction that issues.
    void tick(uint64_t tick, unsigned owner, uint64_t pc, uint64_t count);
    /// Add one more counter that the last tick moves; in any order.
    void event(bool happened, Event event);
    /// The same of passages alone: a part of another counter.
    void part(bool happened, const char *counter) {
        if (happened && counts_ && passages_)
            passages_->event(counter);
    }
    /// `ticks.csv`; `passages.N.csv` of node N.
    void write(const std::string &folder, unsigned node);

  private:
    void join();
    void settle();
    void writeRows(const std::string &folder);

    std::vector<std::string> owners_;
    std::vector<TickRow> rows_; ///< the last ones, which may still change
    unsigned window_;
    bool keepsRows_;
    Spool text_; ///< rows before them
    std::optional<Passages> passages_;
    bool open_ = false, paused_ = false;
    bool counts_ = false; ///< the last tick is in the window
};

} // namespace mcpi
