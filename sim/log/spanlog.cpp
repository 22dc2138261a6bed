// SPDX-License-Identifier: BSD-2-Clause
#include "spanlog.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace mcpi {

SpanLog::SpanLog(std::vector<std::string> owners, Span span, const std::string &folder,
                 unsigned node)
    : owners_(std::move(owners)), span_(span), folder_(folder),
      end_(std::to_string(node) + ".csv") {}

void SpanLog::tick(uint64_t tick, unsigned owner, uint64_t pc, uint64_t count) {
    counts_ = wants(tick, count);
    if (!counts_)
        return;
    const uint64_t first = std::max(tick, span_.from);
    const uint64_t end = std::min(tick + count, span_.until);
    settle();
    now_ = TickRow{first, end - first, owner, pc, {}};
    issues_ += owners_.at(owner) == "issue";
}

/// Settle the last row, which is complete: join it with the one before, or write that one.
void SpanLog::settle() {
    if (!now_)
        return;
    if (before_ && now_->goesOn(*before_, owners_)) {
        before_->count += now_->count;
        return;
    }
    write();
    before_ = std::exchange(now_, std::nullopt);
}

void SpanLog::write() {
    open();
    if (before_)
        before_->write(out_, owners_);
    before_.reset();
}

/// The folder is there when the first tick passes.
void SpanLog::open() {
    if (out_.is_open())
        return;
    out_.open(folder_ + "/span." + end_);
    out_ << TickRow::head;
    accesses_.open(folder_ + "/accesses." + end_);
    accesses_ << "issue,kind,address\n";
}

void SpanLog::access(uint64_t issue, bool store, uint64_t address) {
    if (issue >= issues_)
        return;
    open();
    accesses_ << issue << (store ? ",store," : ",load,") << std::hex << address << std::dec << '\n';
}

void SpanLog::close() {
    settle();
    write();
    if (!out_.flush() || !accesses_.flush())
        throw UserError(folder_ + "/span." + end_ + ": cannot be written.");
}

} // namespace mcpi
