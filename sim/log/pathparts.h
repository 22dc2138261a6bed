// SPDX-License-Identifier: BSD-2-Clause
// Where an invocation of the path begins and ends, learned from the markers as they pass: a path
// may leave its window and come back (docs/reference/protocols/rpc.md).
#pragma once
#include "base/markers.h"

namespace mcpi {

class PathParts {
  public:
    /// The image opens its window in one place only: each time it does is an invocation.
    void onePart(uint64_t address) {
        begin_ = address;
        count_ = 1;
        fixed_ = true;
    }
    void marker(const Marker &m) {
        if (fixed_ || ofFurtherWindow(m))
            return;
        if (m.action == actionOpen && !open_) {
            open_ = true;
            if (ended_) { // the part before had the invocation's marker: here the next one begins
                count_ = parts_;
                parts_ = 0;
                begin_ = m.address;
            }
            ++parts_;
            ended_ = false;
        } else if (m.action == actionClose && open_) {
            open_ = false;
            ended_ = invoked_;
            invoked_ = false;
        } else if (m.action == actionInvocation) {
            invoked_ = true;
        }
    }
    /// Parts of an invocation; 0: none has been seen whole.
    unsigned count() const { return begin_ ? count_ : 0; }
    /// Address of its first instruction.
    uint64_t begin() const { return begin_; }
    /// The window has just closed, or is closed since, at the end of an invocation.
    bool ended() const { return ended_; }

  private:
    unsigned parts_ = 0, count_ = 0;
    uint64_t begin_ = 0;
    bool fixed_ = false, open_ = false, invoked_ = false, ended_ = false;
};

} // namespace mcpi
