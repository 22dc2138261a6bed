// SPDX-License-Identifier: BSD-2-Clause
// Two whole boards at their pins, RGMII crossed by a cable, each serial line on a pseudo-terminal.
// The program that opens the terminals loads and runs the boards, as it would two real ones.
#pragma once
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "VCabledBoards.h"
#include "host/terminal.h"
#include "mdio_phy.h"
#include "serial_pins.h"

namespace mcpi {

/// A clock of a board.
struct Quartz {
    int64_t half;  ///< fs
    int64_t phase; ///< fs until its first rise
};

/// Clocks of a board, and its way to the other.
struct BoardPins {
    Quartz node, quarter;
    unsigned delay; ///< 10 ns each, to the other board
};

struct CableOptions {
    std::string out;
    unsigned phy;  ///< address on MDIO
    uint64_t seed; ///< of what is lost
    double loss;   ///< share of messages
    BoardPins side[2];
};

class CabledBoards {
  public:
    explicit CabledBoards(const CableOptions &options);
    ~CabledBoards();
    /// Until standard input ends.
    void run();

  private:
    struct Side;

    void step();
    void evaluate();
    void exchange();
    bool hostIsThere(int milliseconds);

    VerilatedContext context_;
    std::unique_ptr<VCabledBoards> top_;
    std::vector<std::unique_ptr<Side>> sides_;
    std::mt19937_64 random_;
    double loss_;
    uint64_t quiet_ = 0; ///< node clocks since a byte came or went, while no machine runs
};

} // namespace mcpi
