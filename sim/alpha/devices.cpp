// SPDX-License-Identifier: BSD-2-Clause
#include "devices.h"

namespace mcpi::alpha {

Devices::Devices(const Machine &machine, uint64_t node, std::FILE *console)
    : console_(console), node_(node) {
    const uint64_t base = machine.base("io", "system");
    auto at = [&](const char *name) { return base + machine.offset("system", name); };
    at_ = {at("identity_magic"), at("identity_rtl"),     at("identity_machine"),
           at("identity_node"),  at("console_data"),     at("console_status"),
           at("console_exit"),   at("timer_ticks"),      at("timer_acknowledge"),
           at("timer_control"),  at("interrupt_pending")};
    period_ = machine.timerPeriod();
    nextTimer_ = period_;
    timerMask_ = uint64_t{1} << machine.interruptBit("timer");
}

void Devices::expire() {
    nextTimer_ += period_;
    if (enabled_)
        pending_ = true;
}

bool Devices::skip() {
    if (!enabled_)
        return false;
    slept_ += untilTimer();
    expire();
    return true;
}

bool Devices::read(uint64_t physical, unsigned bytes, uint64_t &value) {
    const uint64_t address = physical & ~uint64_t{7};
    if (address == at_.magic)
        value = uint64_t{1} << 32 | 0x4950436D; // "mCPI", version 1
    else if (address == at_.node)
        value = node_;
    else if (address == at_.status)
        value = 2; // a byte can be written; nobody types
    else if (address == at_.ticks)
        value = now();
    else if (address == at_.control)
        value = enabled_;
    else if (address == at_.pending)
        value = interrupts();
    else if (address == at_.data || address == at_.rtl || address == at_.machine ||
             address == at_.acknowledge || address == at_.exit)
        value = 0;
    else
        return false;
    if (bytes == 4)
        value = physical & 4 ? value >> 32 : value & 0xFFFFFFFF;
    return true;
}

bool Devices::write(uint64_t physical, unsigned, uint64_t value) {
    if (physical == at_.data) {
        std::fputc(static_cast<int>(value & 0xFF), console_);
    } else if (physical == at_.exit) {
        exited = true;
        exitCode = value & 0xFF;
    } else if (physical == at_.acknowledge) {
        pending_ = false;
    } else if (physical == at_.control) {
        enabled_ = value & 1;
    } else {
        return false;
    }
    return true;
}

} // namespace mcpi::alpha
