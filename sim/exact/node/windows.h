// SPDX-License-Identifier: BSD-2-Clause
// Which windows are open: what comparators do when their instruction issues (counters.md, Windows).
#pragma once
#include "base/markers.h"

namespace mcpi::exact {

class Windows {
  public:
    static constexpr unsigned count = 4, sets = 1 << count;

    /// In the tick of its instruction; those of one instruction in the order of their numbers.
    void act(const Marker &marker) {
        const unsigned bit = bitOf(marker.window);
        switch (marker.action) {
        case actionOpen:
            open_ |= bit;
            break;
        case actionClose:
            pathClosed_ |= open_ & bit & path;
            open_ &= ~bit;
            paused_ &= ~bit;
            break;
        case actionPause:
            paused_ |= open_ & bit;
            break;
        case actionResume:
            paused_ &= ~bit;
            break;
        default:
            break;
        }
    }
    static unsigned bitOf(uint32_t window) { return 1u << (window - 1); }

    /// Bit w - 1 stands for window w: it is open and not paused.
    unsigned set() const { return open_ & ~paused_; }
    /// Window 1 is open and paused.
    bool pathPaused() const { return paused_ & path; }
    /// Window 1 has closed since this was asked last.
    bool pathClosed() {
        const bool closed = pathClosed_;
        pathClosed_ = 0;
        return closed;
    }
    /// All are closed, but for window 1 if `path`.
    void close(bool pathOpens) {
        open_ = pathOpens ? path : 0;
        paused_ = pathClosed_ = 0;
    }

  private:
    static constexpr unsigned path = 1;
    unsigned open_ = 0, paused_ = 0, pathClosed_ = 0;
};

} // namespace mcpi::exact
