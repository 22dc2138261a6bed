// SPDX-License-Identifier: BSD-2-Clause
#include "tick_row.h"

#include "base/address.h"
#include "base/text.h"

namespace mcpi::exact {

void writeTickRow(std::ostream &out, const TickRun &run, bool withCause) {
    out << run.tick << ',' << run.count << ',' << ownerNames[static_cast<unsigned>(run.owner)]
        << ',' << (run.owner == Owner::issue ? hex(run.pc & physicalMask) : "") << ',';
    if (withCause)
        out << causeNames[static_cast<unsigned>(run.cause)] << ',';
    const char *between = "";
    for (unsigned n = 0; n < eventNames.size(); ++n)
        if (run.events >> n & 1) {
            out << between << eventNames[n];
            between = " ";
        }
    out << '\n';
}

} // namespace mcpi::exact
