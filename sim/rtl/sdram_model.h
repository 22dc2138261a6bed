// SPDX-License-Identifier: BSD-2-Clause
// The RAM below a node's b-cache tags (rtl/bus/BackingBus.scala), with any latency in clocks, and
// beyond it the residency table, one byte per block of RAM; of several cores one after the other.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "base/backing_latency.h"
#include "base/error.h"
#include "base/zeroed.h"

namespace mcpi {

class SdramModel {
  public:
    static constexpr unsigned largestBlock = 128; // bytes; machines/parameters.toml

    /// `size` bytes are addressed, `there` of them exist: the pages that are used, in the order of
    /// their first use, which is a write of something other than zeros. RunError when there are no
    /// more.
    SdramModel(uint64_t size, uint64_t there, unsigned pageBytes, unsigned blockBytes,
               const BackingLatency &latency, unsigned tables = 1)
        : pageBytes_(pageBytes), size_(size), bytes_(there / pageBytes * pageBytes),
          frames_((size + size / blockBytes * tables) / pageBytes, none),
          table_(size / blockBytes * tables, rubbish), blockBytes_(blockBytes), latency_(latency),
          random_(latency.seed) {}

    /// The byte of RAM at this address, which gets a page if it has none.
    uint8_t &at(uint64_t address) {
        uint32_t &frame = frames_.at(address / pageBytes_);
        if (frame == none && (used_ + 1) * pageBytes_ > bytes_.size()) {
            if (!asBoard)
                throw RunError("the backing RAM of " + std::to_string(bytes_.size()) +
                               " bytes is used up; --backing-bytes gives more.");
            fault = fault ? fault : faultValid | (address & (size_ - 1));
            return nowhere_[address % largestBlock];
        }
        if (frame == none)
            frame = used_++;
        return bytes_[frame * pageBytes_ + address % pageBytes_];
    }

    // Behaviour of a board (docs/reference/boards.md):
    bool asBoard = false; ///< a write that finds no page left is dropped, tables have pages too,
    uint64_t fault = 0;   ///< and its address is here
    static constexpr uint64_t faultValid = uint64_t{1} << 63;
    uint64_t pages() const { return bytes_.size() / pageBytes_; }
    uint64_t pagesUsed() const { return used_; }
    void forget() {
        std::fill(frames_.begin(), frames_.end(), none);
        std::memset(bytes_.data(), 0, used_ * pageBytes_);
        used_ = 0;
        fault = 0;
    }

    bool idle() const { return reads_.empty(); }
    bool ready() const { return reads_.size() < depth; }
    /// `mask` has one bit a byte.
    void write(uint32_t address, const void *data, const void *mask) {
        const auto *from = static_cast<const uint8_t *>(data);
        const auto *eights = static_cast<const uint8_t *>(mask);
        const auto written = [&](unsigned i) { return eights[i / 8] >> (i % 8) & 1; };
        uint8_t *block = find(address);
        for (unsigned i = 0; i < blockBytes_ && !block; ++i)
            if (written(i) && from[i])
                block = &at(address & ~(blockBytes_ - 1));
        for (unsigned i = 0; i < blockBytes_ && block; ++i)
            if (written(i))
                block[i] = from[i];
    }
    /// The data are taken now; the answer keeps the order of the commands.
    void read(uint32_t address) {
        const unsigned span = latency_.high - latency_.low + 1;
        const uint64_t wait = latency_.low + (span > 1 ? random_() % span : 0);
        Answer a;
        a.due = std::max(now_ + wait, lastDue_ + 1);
        lastDue_ = a.due;
        if (const uint8_t *block = find(address))
            std::memcpy(a.data, block, blockBytes_);
        else
            std::memset(a.data, 0, blockBytes_);
        reads_.push_back(a);
    }
    /// Pass one clock; return the block that is due in it, or null. Valid until the next call.
    const uint8_t *clock() {
        ++now_;
        if (reads_.empty() || reads_.front().due > now_)
            return nullptr;
        current_ = reads_.front();
        reads_.pop_front();
        return current_.data;
    }

  private:
    static constexpr uint32_t none = ~0u;
    static constexpr std::size_t depth = 4;
    static constexpr uint8_t rubbish = 0x0F; ///< as after power-up: the node has to sweep it
    struct Answer {
        uint64_t due;
        uint8_t data[largestBlock];
    };
    /// The block this address lies in, or null if its page has never been needed: it reads zero.
    uint8_t *find(uint32_t address) {
        const uint32_t at = address & ~(blockBytes_ - 1);
        if (at >= size_ && !asBoard)
            return &table_.at(at - size_);
        const uint32_t frame = frames_.at(at / pageBytes_);
        return frame == none ? nullptr : &bytes_[frame * pageBytes_ + at % pageBytes_];
    }
    uint64_t pageBytes_, size_;
    Zeroed bytes_;
    std::vector<uint32_t> frames_; ///< by page
    uint32_t used_ = 0;
    std::vector<uint8_t> table_;
    uint8_t nowhere_[largestBlock] = {};
    unsigned blockBytes_;
    BackingLatency latency_;
    std::mt19937_64 random_;
    std::deque<Answer> reads_;
    Answer current_{};
    uint64_t now_ = 0, lastDue_ = 0;
};

} // namespace mcpi
