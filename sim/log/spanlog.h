// SPDX-License-Identifier: BSD-2-Clause
// Every tick of a node from one tick to another, whatever its windows do, and where its
// instructions read and write: span.N.csv and accesses.N.csv, written as it goes.
#pragma once
#include <fstream>
#include <optional>

#include "tickrow.h"

namespace mcpi {

/// Ticks `from` to `until` - 1.
struct Span {
    uint64_t from = 0, until = 0;
    bool wanted() const { return until > from; }
    bool holds(uint64_t tick) const { return from <= tick && tick < until; }
};

class SpanLog {
  public:
    SpanLog(std::vector<std::string> owners, Span span, const std::string &folder, unsigned node);

    /// Return true if any of these ticks is in the span.
    bool wants(uint64_t tick, uint64_t count) const {
        return tick < span_.until && tick + count > span_.from;
    }
    /// `pc`: of the instruction that issues.
    void tick(uint64_t tick, unsigned owner, uint64_t pc, uint64_t count);
    /// Add one more counter that the last tick moves; in any order.
    void event(bool happened, Event event) {
        if (happened && counts_)
            now_->add(event);
    }
    /// Instructions that have issued in the span.
    uint64_t issues() const { return issues_; }
    /// Instruction `issue` of the span (from 0) reads or writes there, virtual. Any other is
    /// ignored.
    void access(uint64_t issue, bool store, uint64_t address);
    /// The last rows; UserError if a file cannot be written.
    void close();

  private:
    void settle();
    void write();
    void open();

    std::vector<std::string> owners_;
    Span span_;
    std::string folder_, end_; ///< of the files' names
    std::ofstream out_, accesses_;
    uint64_t issues_ = 0;
    std::optional<TickRow> before_, now_; ///< rows that are not written yet
    bool counts_ = false;                 ///< the last tick is in the span
};

} // namespace mcpi
