// SPDX-License-Identifier: BSD-2-Clause
#include "lock_log.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "alpha/cpu.h"
#include "base/error.h"

namespace mcpi::exact {
namespace {

std::vector<uint64_t> addresses(const std::vector<std::string> &texts) {
    std::vector<uint64_t> found;
    for (const std::string &text : texts)
        try {
            found.push_back(std::stoull(text, nullptr, 16) & physicalMask);
        } catch (const std::logic_error &) {
            throw UserError("--take, --release: an address in hex is wanted, not '" + text + "'.");
        }
    return found;
}

bool among(const std::vector<uint64_t> &all, uint64_t one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

} // namespace

LockLog::LockLog(const std::vector<std::string> &take, const std::vector<std::string> &release,
                 unsigned cores)
    : take_(addresses(take)), release_(addresses(release)), calls_(cores),
      returns_(cores, ~uint64_t{0}), held_(cores) {
    for (const auto *all : {&take_, &release_})
        for (const uint64_t one : *all) {
            low_ = std::min(low_, one);
            high_ = std::max(high_, one);
        }
}

void LockLog::Histogram::add(uint64_t value) {
    unsigned bits = 0;
    for (uint64_t left = value; left && bits < this->bits.size() - 1; left >>= 1)
        ++bits;
    ++this->bits[bits];
    ++count;
    sum += value;
}

void LockLog::issues(unsigned core, uint64_t tick, uint64_t pc, uint64_t a0, uint64_t ra) {
    const uint64_t at = pc & physicalMask;
    std::vector<Call> &calls = calls_[core];
    if (!calls.empty() && at == calls.back().returns) {
        const Call call = calls.back();
        calls.pop_back();
        returns_[core] = calls.empty() ? ~uint64_t{0} : calls.back().returns;
        if (call.takes)
            taken(core, tick, call);
        else
            sites_[call.site].release.add(tick - call.since);
    }
    if (at < low_ || at > high_)
        return;
    const bool takes = among(take_, at);
    if (!takes && !among(release_, at))
        return;
    Call call{ra & physicalMask, a0, tick, ra & physicalMask, at, takes};
    if (takes || released(core, tick, call))
        calls.push_back(call);
    if (!calls.empty())
        returns_[core] = calls.back().returns;
    if (!takes)
        return;
    Lock &lock = locks_[a0];
    lock.waiting.push_back({tick, 0, core, !lock.holders && lock.waiting.empty()});
}

void LockLog::taken(unsigned core, uint64_t tick, const Call &call) {
    Lock &lock = locks_[call.lock];
    const auto mine = std::find_if(lock.waiting.begin(), lock.waiting.end(),
                                   [core](const Waiter &a) { return a.core == core; });
    Site &site = sites_[call.site];
    site.function = call.function;
    if (!site.wait.count)
        site.first = call.since;
    site.wait.add(tick - call.since);
    if (mine->free) {
        ++site.free;
        site.freeTicks += tick - call.since;
    }
    if (mine->released)
        site.handOver.add(tick - mine->released);
    site.overtaken += static_cast<uint64_t>(mine - lock.waiting.begin());
    lock.waiting.erase(mine);
    ++lock.holders;
    held_[core].push_back({call.lock, call.site, tick});
}

/// Release the lock: a core that waits may have it from now on, and the last release counts. False:
/// the core does not have it.
bool LockLog::released(unsigned core, uint64_t tick, Call &call) {
    auto &mine = held_[core];
    const auto held = std::find_if(mine.rbegin(), mine.rend(),
                                   [&call](const Held &h) { return h.lock == call.lock; });
    if (held == mine.rend()) {
        ++lost_;
        return false;
    }
    Lock &lock = locks_[call.lock];
    --lock.holders;
    for (Waiter &one : lock.waiting)
        one.released = tick;
    Site &site = sites_[held->site];
    site.hold.add(tick - held->since);
    site.last = tick;
    call.site = held->site;
    mine.erase(std::next(held).base());
    return true;
}

nlohmann::ordered_json LockLog::summary(const Histogram &h) {
    std::vector<uint64_t> bits(h.bits.begin(), h.bits.end());
    while (!bits.empty() && !bits.back())
        bits.pop_back();
    return {{"count", h.count}, {"ticks", h.sum}, {"bits", bits}};
}

void LockLog::write(const std::string &file) const {
    nlohmann::ordered_json json = {{"lost", lost_}, {"sites", nlohmann::ordered_json::array()}};
    for (const auto &[at, s] : sites_)
        json["sites"].push_back({{"at", at},
                                 {"function", s.function},
                                 {"wait", summary(s.wait)},
                                 {"hold", summary(s.hold)},
                                 {"hand_over", summary(s.handOver)},
                                 {"release", summary(s.release)},
                                 {"free", s.free},
                                 {"free_ticks", s.freeTicks},
                                 {"overtaken", s.overtaken},
                                 {"first", s.first},
                                 {"last", s.last}});
    std::ofstream(file) << json.dump(1) << '\n';
}

} // namespace mcpi::exact
