// SPDX-License-Identifier: BSD-2-Clause
#include "surroundings.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/address.h"
#include "base/text.h"
#include "machines/instructions.h"

namespace mcpi {
namespace {

constexpr unsigned idealTicks = 2; // clocks from command to answer
constexpr Coverage::Bus kinds[] = {Coverage::fetch, Coverage::prefetch, Coverage::load};

} // namespace

Surroundings::Surroundings(const Machine &machine, const Weather &weather)
    : ram(machine.parameter("memory.size")),
      blockBytes_(static_cast<unsigned>(machine.parameter("cache.block"))),
      readTicks_(static_cast<unsigned>(machine.parameter("bcache.read_ticks"))),
      slowTicks_(static_cast<unsigned>(machine.parameter("memory.read_ticks"))),
      writeTicks_(static_cast<unsigned>(machine.parameter("write_buffer.write_ticks"))),
      dmaTicks_(static_cast<unsigned>(machine.parameter("bcache.dma_ticks"))),
      dirtyTicks_(static_cast<unsigned>(machine.parameter("dcache.dirty_ticks"))),
      dCacheBytes_(machine.parameter("dcache.size")), slowIn_(weather.slowReadIn),
      withhold_(weather.withholdPercent), ideal_(machine.parameter("memory.ideal") != 0),
      weather_(weather), windowBase_(machine.base("ram", "lance_window")),
      windowEnd_(windowBase_ + machine.size("ram", "lance_window")),
      random_(static_cast<unsigned>(weather.seed * 2654435761u + 1)), blocks_(machine) {
    dmaIn_ = until(weather_.dmaEvery);
    interruptIn_ = until(weather_.interruptEvery);
    for (auto &c : changes_)
        c.push_back({0, 0});
}

Surroundings::Drive Surroundings::waiting() const {
    Drive d;
    d.answer = bus_ == Bus::core && left_ == 0;
    d.error = d.answer && address_ + blockBytes_ > ram.size();
    if (d.answer && isRead_ && !d.error)
        d.block = &ram[address_];
    d.ioAnswer = ioBusy_ && ioLeft_ == 0;
    if (d.ioAnswer) {
        d.ioValue = ioValue_;
        d.ioError = ioError_;
    }
    d.ready = bus_ == Bus::free || d.answer || (bus_ == Bus::dma && left_ == 0 && !ideal_);
    return d;
}

const Surroundings::Drive &Surroundings::drive(bool tick, bool moves) {
    const Drive d = waiting();
    drive_ = Drive{};
    if (moves) {
        drive_.answer = d.answer;
        drive_.error = d.error;
        drive_.block = d.block;
        errors += d.error;
    }
    const bool dmaEnds =
        tick && (ideal_ ? dmaPending_ && dmaLeft_ == 0 : bus_ == Bus::dma && left_ == 0);
    if (dmaEnds) {
        endDma();
        drive_.invalidate = true;
        drive_.invalidated = dmaBlock();
        drops_.push_back(dmaAddress_);
    }
    if (drive_.answer && !drive_.error && isRead_ && isLoad_)
        loaded_ = address_;
    drive_.ready = bus_ == Bus::free || drive_.answer || (bus_ == Bus::dma && dmaEnds);
    if (drive_.answer || (dmaEnds && !ideal_))
        bus_ = Bus::free;
    if (tick && d.ioAnswer) {
        drive_.ioAnswer = true;
        drive_.ioValue = d.ioValue;
        drive_.ioError = d.ioError;
        errors += d.ioError;
        ioBusy_ = false;
    }
    drive_.ioReady = !ioBusy_;
    return drive_;
}

Coverage::Bus Surroundings::onBus() const {
    const bool ofCore = bus_ == Bus::core;
    return ofCore             ? (isRead_ ? readFor_ : Coverage::write)
           : bus_ == Bus::dma ? Coverage::dma
                              : Coverage::free;
}

std::string Surroundings::read(uint64_t address, unsigned kind, bool dirty) {
    readFor_ = kinds[kind % std::size(kinds)];
    const bool load = readFor_ == Coverage::load;
    ++reads;
    lastRead_ = address;
    bus_ = Bus::core;
    isRead_ = true;
    isLoad_ = load;
    address_ = address;
    const bool slow = slowIn_ && random_() % slowIn_ == 0;
    left_ = ideal_ ? idealTicks : slow ? slowTicks_ : readTicks_;
    left_ += dirty ? dirtyTicks_ : 0;
    dirtyMisses += dirty;
    const bool should = blocks_.back() && load && blocks_.displacesDirty(address);
    return dirty == should ? "" : should ? "its victim is dirty" : "its victim is not dirty";
}

void Surroundings::store(uint64_t address, uint64_t data, bool isLong) {
    blocks_.stored(address);
    const unsigned bytes = isLong ? 4 : 8;
    if (address + bytes <= ram.size())
        std::memcpy(&ram[address & ~uint64_t{bytes - 1}], &data, bytes);
}

void Surroundings::write(uint64_t address, const void *bytes, const void *mask) {
    ++writes;
    bus_ = Bus::core;
    isRead_ = false;
    address_ = address;
    left_ = ideal_ ? idealTicks : writeTicks_;
    drops_.push_back(address);
    if (address + blockBytes_ > ram.size())
        return;
    const auto *from = static_cast<const uint8_t *>(bytes);
    const auto *eights = static_cast<const uint8_t *>(mask);
    for (unsigned i = 0; i < blockBytes_; ++i)
        if (eights[i / 8] >> (i % 8) & 1)
            ram[address + i] = from[i];
}

void Surroundings::io(uint64_t address, bool write, bool quad, uint64_t value) {
    ++ios;
    ioBusy_ = true;
    ioLeft_ = 1 + random_() % (random_() % 2 ? 12 : 2);
    const uint64_t offset = address - ioBase;
    ioError_ = address < ioBase || offset >= nobody;
    if (write) {
        ioSeen_.push_back({address, quad ? value : value & 0xFFFFFFFF, quad});
        if (offset == acknowledge)
            lines_ &= ~static_cast<unsigned>(value);
        return;
    }
    ioValue_ = offset == goFlag ? go : uint64_t{random_()} << 40 ^ uint64_t {
        random_()
    } << 20 ^ random_();
}

uint64_t Surroundings::quiet() const {
    if (drive_.answer || drive_.invalidate || drive_.ioAnswer)
        return 1;
    uint64_t ticks = ~uint64_t{0};
    const auto until = [&ticks](bool what, uint64_t left) {
        if (what)
            ticks = std::min(ticks, left);
    };
    until(bus_ != Bus::free, left_);
    until(dmaPending_, dmaLeft_);
    until(ioBusy_, ioLeft_);
    until(raiseIn_, raiseIn_);
    until(dmaIn_, dmaIn_ - 1);
    return ticks;
}

void Surroundings::pass(bool tick, bool moves) {
    if (moves && bus_ == Bus::core && left_)
        --left_;
    if (!tick)
        return;
    if (blocks_.back()) {
        if (loaded_)
            blocks_.filled(*loaded_);
        for (const uint64_t address : drops_)
            blocks_.dropped(address);
    }
    loaded_.reset();
    drops_.clear();
    ++now;
    if (bus_ == Bus::dma && left_)
        --left_;
    if (dmaPending_ && dmaLeft_)
        --dmaLeft_;
    if (ioBusy_ && ioLeft_)
        --ioLeft_;
    if (raiseIn_ && --raiseIn_ == 0) {
        lines_ |= 1u << random_() % 3;
        ++interrupts;
    }
    if (dmaIn_ && dmaIn_ != 1)
        --dmaIn_;
    if (dmaIn_ == 1 && (ideal_ ? !dmaPending_ : bus_ == Bus::free)) {
        beginDma();
        dmaIn_ = until(weather_.dmaEvery) + 1;
    }
}

void Surroundings::nativeRetired() {
    if (interruptIn_ && --interruptIn_ == 0) {
        raiseIn_ = 1 + random_() % 32;
        interruptIn_ = until(weather_.interruptEvery);
    }
}

/// Half of them change a lane of the window; the others write back what is there, anywhere, where
/// the core has just read, or where a lock has just been taken.
void Surroundings::beginDma() {
    ++dmas;
    const uint64_t lane = random_() % (random_() % 2 ? lanes : crowded);
    dmaNumber_ = random_() % 2 ? dmas : 0;
    dmaAddress_ = dmaNumber_ ? windowBase_ + 16 * lane : random_() % (ram.size() / 16) * 16;
    if (!dmaNumber_ && random_() % 4)
        dmaAddress_ = data + random_() % 4096 / 16 * 16 + (random_() % 3 << 16);
    if (!dmaNumber_ && random_() % 4 == 0) { // what has just been read, what lies over it, or next
        const uint64_t beyond[] = {0, 0, dCacheBytes_, blockBytes_};
        dmaAddress_ = (lastRead_ + beyond[random_() % 4]) % ram.size() / 16 * 16;
    }
    if (aimed_ && locked_ < ram.size()) {
        dmaNumber_ = 0;
        dmaAddress_ = locked_ / 16 * 16;
    }
    aimed_ = false;
    if (ideal_) {
        dmaPending_ = true;
        dmaLeft_ = dmaTicks_;
    } else {
        bus_ = Bus::dma;
        left_ = dmaTicks_;
    }
}

void Surroundings::endDma() {
    dmaPending_ = false;
    recent_[dmas % recent_.size()] = {now, dmaAddress_};
    if (!dmaNumber_)
        return;
    const uint64_t value = dmaNumber_ << 32 | dmaNumber_;
    std::memcpy(&ram[dmaAddress_], &value, 8);
    std::memcpy(&ram[dmaAddress_ + 8], &value, 8);
    auto &history = changes_[(dmaAddress_ - windowBase_) / 16];
    history.push_back({now, dmaNumber_});
    if (history.size() > 16)
        history.pop_front();
}

/// A block that DMA changed in tick t is dropped in t; a load looks at the tags one tick after its
/// issue, so what was dropped at `issued` at the latest must not be seen any more.
std::string Surroundings::judgeWindowLoad(const Retirement &r, uint64_t issued) {
    const uint64_t address = r.address & physicalMask;
    if (!r.memory || r.store || address < windowBase_ || address >= windowBase_ + 16 * lanes)
        return "";
    const auto &history = changes_[(address - windowBase_) / 16];
    const uint64_t got = r.value & 0x7FFFFFFF;
    uint64_t oldest = 0;
    for (const auto &change : history)
        if (change.tick <= issued)
            oldest = change.number;
    const uint64_t newest = history.back().number;
    if (history.front().tick && history.front().tick > issued)
        return ""; // sixteen changes since then
    for (const auto &change : history)
        if (change.number == got && got >= oldest)
            return "";
    return text("stale: DMA number %" PRIu64 " was there at its issue, %" PRIu64
                " is the newest, it got %" PRIu64,
                oldest, newest, got);
}

bool Surroundings::lostLock(const Retirement &r, uint64_t issued, std::string &error) {
    if (isLoadLocked(r.instruction) && r.writes) {
        lockIssued_ = issued;
        lockRetired_ = now;
        locked_ = r.address & physicalMask;
        aimed_ = dmaIn_ && random_() % 4 == 0;
        if (aimed_)
            dmaIn_ = 1;
    }
    if (!isStoreConditional(r.instruction))
        return false;
    const uint64_t range = std::max<uint64_t>(32, blockBytes_);
    bool perhaps = false;
    for (const auto &[tick, address] : recent_) {
        if (address / range != locked_ / range)
            continue;
        perhaps |= tick >= lockIssued_;
        if (tick > lockRetired_ && tick < issued && r.value)
            error = text("STx_C succeeds, but DMA wrote into its range in tick %" PRIu64
                         " (LDx_L retired in %" PRIu64 ", STx_C issued in %" PRIu64 ")",
                         tick, lockRetired_, issued);
    }
    return perhaps && r.value == 0;
}

std::string Surroundings::judgeIo(const Retirement &r) {
    const uint64_t address = r.address & physicalMask;
    if (!r.memory || !r.store || address >> 32 == 0)
        return "";
    const unsigned bytes = alpha::find(r.instruction)->bytes; // 0: HW_ST
    const bool quad = bytes ? bytes == 8 : r.instruction >> 12 & 1;
    ioRetired_.push_back({address, quad ? r.storeData : r.storeData & 0xFFFFFFFF, quad});
    return compareIo();
}

std::string Surroundings::compareIo() {
    while (!ioSeen_.empty() && !ioRetired_.empty()) {
        const IoWrite seen = ioSeen_.front(), retired = ioRetired_.front();
        ioSeen_.pop_front();
        ioRetired_.pop_front();
        if (seen.address != retired.address || seen.data != retired.data ||
            seen.quad != retired.quad)
            return text("I/O write: on the bus %" PRIx64 " <- %" PRIx64 ", retired %" PRIx64,
                        seen.address, seen.data, retired.data);
    }
    // Behind an I/O access nothing issues until it is answered, so one may have retired early.
    return ioRetired_.size() > 1 ? "an I/O write that retired was not on the bus" : "";
}

std::string Surroundings::judgeIoAtEnd() {
    const std::string error = compareIo();
    if (!error.empty() || ioSeen_.size() == ioRetired_.size())
        return error;
    return text(
        "I/O writes at the end: %zu on the bus did not retire, %zu that retired were not there",
        ioSeen_.size(), ioRetired_.size());
}

} // namespace mcpi
