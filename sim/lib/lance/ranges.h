// SPDX-License-Identifier: BSD-2-Clause
// Ranges of values that fit the chip's inputs; for each library with the functions of lance.h.
#pragma once
#include <string>

#include "lance.h"

/// Each value of lance_config that is an input of the chip: FIELD(its name, the input's, its bits).
#define LANCE_INPUTS(FIELD)                                                                        \
    FIELD(poll, io_timing_poll, 21)                                                                \
    FIELD(word, io_timing_word, 11)                                                                \
    FIELD(gap, io_timing_gap, 11)                                                                  \
    FIELD(arbitration, io_timing_arbitration, 11)                                                  \
    FIELD(csr, io_timing_csr, 11)                                                                  \
    FIELD(demand, io_timing_demand, 11)                                                            \
    FIELD(setup, io_timing_setup, 11)                                                              \
    FIELD(start, io_timing_start, 11)                                                              \
    FIELD(heartbeat, io_timing_heartbeat, 11)                                                      \
    FIELD(status, io_timing_status, 11)                                                            \
    FIELD(interrupt, io_timing_interrupt, 11)                                                      \
    FIELD(transmit_threshold, io_timing_transmitThreshold, 6)                                      \
    FIELD(poll_phase, io_pollPhase, 21)                                                            \
    FIELD(sqe_test, io_heartbeat, 1)                                                               \
    FIELD(half_duplex, io_halfDuplex, 1)                                                           \
    FIELD(station, io_station, 48)

namespace mcpi {

/// The first value that has no room in the chip's inputs, and their range; empty: all have.
std::string outOfRange(const lance_config &config);

} // namespace mcpi
