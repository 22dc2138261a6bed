// SPDX-License-Identifier: BSD-2-Clause
// A pseudo-terminal under a name of our choice, as a serial port would be.
#pragma once
#include <cstdint>
#include <deque>
#include <string>

namespace mcpi {

class Terminal {
  public:
    /// `link` becomes a symbolic link to the terminal; UserError when it can't.
    explicit Terminal(const std::string &link);
    ~Terminal();
    Terminal(const Terminal &) = delete;
    Terminal &operator=(const Terminal &) = delete;

    int descriptor() const { return master_; }
    bool read(uint8_t &byte);
    void write(uint8_t byte) { waiting_.push_back(byte); }
    /// Write as many bytes as the terminal takes now; return true if it took any.
    bool flush();
    bool waits() const { return !waiting_.empty(); }

  private:
    std::string link_;
    int master_ = -1, slave_ = -1; ///< the slave stays open: a host may come and go
    std::deque<uint8_t> waiting_;
};

} // namespace mcpi
