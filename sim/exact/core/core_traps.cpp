// SPDX-License-Identifier: BSD-2-Clause
// Traps and interrupts, instead of an issue.
#include "core.h"

namespace mcpi::exact {
namespace {

using memory::Arrival;
using memory::Step;

constexpr uint64_t overflowSummary = 1 << 8; // EXC_SUM: IOV

} // namespace

template <typename Enter> void Core::trap(Enter enter) {
    run_.owner = Owner::exception;
    retirement_.issues();
    step_.what = Step::What::trap;
    ends(&step_);
    enter();
    palAt_ = step_.tick + 1;
    palNext_ = true;
    wants(Arrival::trapped);
}

void Core::trapTo(alpha::Vector vector, uint64_t pc) {
    trap([this, pc, vector] { cpu_.enter(vector, pc); });
}

/// Return true if a trap takes the instruction's place, in the order of docs/explanation/core.md.
bool Core::traps() {
    const uint64_t tick = memory_.now(), pc = cpu_.programCounter();
    const auto enter = [this, pc](alpha::Vector vector) {
        trapTo(vector, pc);
        return true;
    };
    if (tick >= machineCheck_ || memory_.failed()) {
        if (machineCheck_ <= tick + 1) // what is answered by this tick is one with it
            machineCheck_ = never;
        return enter(alpha::vectorMachineCheck);
    }
    if (tick < checked_)
        return false;
    if (tick >= overflow_ && (ofPal_ || !cpu_.palMode)) {
        overflow_ = never;
        cpu_.internal.exceptionSummary |= overflowSummary;
        return enter(alpha::vectorArithmetic);
    }
    // HIRR has the lines of the tick before.
    if (!cpu_.palMode && hirr_ & cpu_.internal.interruptEnable)
        return enter(alpha::vectorInterrupt);
    if (step_.lost) {
        lostTrap();
        return true;
    }
    if (!instruction_.traps(cpu_.palMode, cpu_.internal.status))
        return false;
    trapsItself();
    return true;
}

/// The instruction in stage D, when it is executed.
void Core::trapsItself() {
    trap([this] { cpu_.execute(instruction_.word); });
}

} // namespace mcpi::exact
