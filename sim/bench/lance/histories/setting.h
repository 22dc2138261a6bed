// SPDX-License-Identifier: BSD-2-Clause
// Which histories are drawn: the flags of the command.
#pragma once
#include "card.h"

namespace mcpi::histories {

/// The fitted times of the machine, in ticks; the chip's kind.
struct Setting {
    lance_config times{};
    bool cLance = false;
    bool fitted = false;                 ///< each history has these times
    bool acknowledge = false;            ///< all of CSR0 before each step, so that the line is low
    bool wide = false;                   ///< rings of up to 128 entries, addresses of 24 bits
    bool odd = false;                    ///< buffers of any size anywhere, long frames
    bool lasting = false;                ///< frames only, so that rings go round
    bool plain = false;                  ///< PADR is the ROM's, STP in the first buffer; no RESET
    bool anyTime = false;                ///< AnyTime in place of History
    const ExactLibrary *exact = nullptr; ///< of the other card
};

} // namespace mcpi::histories
