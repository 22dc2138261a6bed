// SPDX-License-Identifier: BSD-2-Clause
#include "snoop_bus.h"

namespace mcpi::memory {
namespace {

constexpr bool hasData(Request r) {
    return r == Request::read || r == Request::readExclusive || r == Request::writeBack;
}

} // namespace

SnoopTimes::SnoopTimes(const Machine &m)
    : request(m.parameter("bus.request_ticks")), data(m.parameter("bus.data_ticks")),
      miss(m.parameter("bus.miss_ticks")), remote(m.parameter("bus.remote_ticks")),
      upgrade(m.parameter("bus.upgrade_ticks")), dma(m.parameter("bcache.dma_ticks")),
      outstanding(static_cast<unsigned>(m.parameter("bus.outstanding"))),
      first(static_cast<unsigned>(m.parameter("bus.arbiter_first"))),
      blockBytes(m.parameter("cache.block")), bBlockBytes(m.parameter("bcache.block")) {}

SnoopBus::SnoopBus(const Machine &machine, unsigned cores)
    : times_(machine), cores_(cores), last_((times_.first + cores) % (cores + 1)) {}

/// Request of a place, if it has one.
PrivateCache::Waiting SnoopBus::requestOf(unsigned place, const Caches &caches) const {
    if (place < cores_)
        return caches[place]->request();
    return {dmaRequest_.write ? Request::dmaWrite : Request::dmaRead,
            dmaRequest_.address / times_.bBlockBytes, dmaRequest_.tick + 2};
}

bool SnoopBus::wants(unsigned place, bool writesBack, const Caches &caches) const {
    if (place == dma())
        return dmaAsks_ && !writesBack;
    return writesBack ? caches[place]->writesBack() : caches[place]->raised();
}

/// From which tick on it may be granted, as the bus stands; `never`: something comes before it.
uint64_t SnoopBus::readyAt(unsigned place, bool writesBack, const Caches &caches) const {
    const auto one = writesBack ? caches[place]->writeBack() : requestOf(place, caches);
    uint64_t from = one.raised;
    if (lastGrant_ != never)
        from = std::max(from, lastGrant_ + times_.request);
    uint64_t firstEnd = never;
    for (const Transaction &t : underWay_) {
        firstEnd = std::min(firstEnd, t.end);
        if (t.block == one.block)
            from = std::max(from, t.end);
    }
    if (underWay_.size() >= times_.outstanding)
        from = std::max(from, firstEnd);
    if (writesBack)
        return from;
    if (place < cores_ && caches[place]->writesBack())
        return never;
    for (unsigned other = 0; other <= cores_; ++other) {
        if (wants(other, true, caches) && caches[other]->writeBack().block == one.block)
            return never;
        if (other != place && wants(other, false, caches)) {
            const auto its = requestOf(other, caches);
            if (its.block == one.block && its.raised < one.raised)
                return never;
        }
    }
    return from;
}

uint64_t SnoopBus::nextGrant(uint64_t tick, const Caches &caches) {
    const auto wants = [](const PrivateCache *one) { return one->raised() || one->writesBack(); };
    if (!dmaAsks_ && std::none_of(caches.begin(), caches.end(), wants))
        return never;
    ends(tick);
    uint64_t first = never;
    for (unsigned place = 0; place <= cores_; ++place)
        for (const bool writesBack : {true, false})
            if (this->wants(place, writesBack, caches))
                first = std::min(first, readyAt(place, writesBack, caches));
    return first == never ? never : std::max(first, tick);
}

unsigned SnoopBus::grant(uint64_t tick, const Caches &caches) {
    ends(tick);
    for (unsigned n = 1; n <= cores_ + 1; ++n) {
        const unsigned place = (last_ + n) % (cores_ + 1);
        for (const bool writesBack : {true, false}) {
            if (!wants(place, writesBack, caches) || readyAt(place, writesBack, caches) > tick)
                continue;
            const auto one = writesBack ? caches[place]->writeBack() : requestOf(place, caches);
            last_ = place;
            granted_ = lastGrant_ = tick;
            if (underWay_.empty())
                busySince_ = tick;
            underWay_.push_back({one.block, never, place, one.what});
            ++requests_;
            if (place == dma()) {
                dmaAsks_ = false;
                dmaGranted_ = true;
            } else if (writesBack) {
                caches[place]->writeBackGranted();
            } else {
                caches[place]->granted();
            }
            return place;
        }
    }
    return nobody();
}

/// Transactions whose end is this tick are under way no more.
void SnoopBus::ends(uint64_t tick) {
    const auto over = [tick](const Transaction &t) { return t.end <= tick; };
    const auto from = std::remove_if(underWay_.begin(), underWay_.end(), over);
    if (from == underWay_.end())
        return;
    uint64_t last = 0;
    for (auto t = from; t != underWay_.end(); ++t)
        last = std::max(last, t->end);
    underWay_.erase(from, underWay_.end());
    if (underWay_.empty()) {
        busy_ += last - busySince_;
        busySince_ = never;
    }
}

/// The end of what has been granted last.
uint64_t SnoopBus::endOf(Request what, bool remote) {
    const uint64_t granted = granted_;
    uint64_t ticks = what == Request::upgrade                                ? times_.upgrade
                     : remote                                                ? times_.remote
                     : what == Request::dmaRead || what == Request::dmaWrite ? times_.dma
                                                                             : times_.miss;
    uint64_t end = granted - 2 + ticks;
    if (what == Request::writeBack)
        end = granted + times_.request + times_.data;
    if (!hasData(what))
        return end;
    if (anyData_)
        end = std::max(end, lastData_ + times_.data);
    lastData_ = end;
    anyData_ = true;
    dataEnds_.push_back(end);
    data_ += times_.data;
    return end;
}

const Ordered *SnoopBus::order(uint64_t tick, const Caches &caches) {
    ends(tick);
    while (!dataEnds_.empty() && dataEnds_.front() <= tick)
        dataEnds_.pop_front();
    if (dmaEnds_ == tick) {
        dmaEnded_ = tick;
        dmaEnds_ = never;
        dmaGranted_ = false;
    }
    if (granted_ == never || granted_ + 1 != tick)
        return nullptr;
    Transaction &t = underWay_.back();
    bool shared = false, remote = false;
    if (t.what != Request::writeBack)
        for (unsigned n = 0; n < cores_; ++n)
            if (n != t.place) {
                const State found = caches[n]->snoop(tick, t.what, t.block);
                shared |= found != State::invalid;
                remote |= found == State::modified;
            }
    t.end = endOf(t.what, remote);
    if (t.place == dma())
        dmaEnds_ = t.end;
    else if (t.what == Request::writeBack)
        caches[t.place]->wroteBack(tick);
    else
        caches[t.place]->ordered(tick, shared, remote, t.end);
    granted_ = never;
    ordered_ = {tick, t.block, t.end, t.what, t.place, remote};
    return &ordered_;
}

SnoopBus::Counts SnoopBus::counts(uint64_t tick) const {
    Counts c{requests_, data_, busy_};
    for (const uint64_t end : dataEnds_) // what of them is still to come
        if (end > tick)
            c.data -= std::min(times_.data, end - tick);
    if (busySince_ != never && busySince_ < tick) {
        uint64_t last = 0;
        for (const Transaction &t : underWay_)
            last = std::max(last, t.end);
        c.busy += std::min(last, tick) - busySince_;
    }
    return c;
}

} // namespace mcpi::memory
