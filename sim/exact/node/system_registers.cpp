// SPDX-License-Identifier: BSD-2-Clause
#include "system_registers.h"

#include <algorithm>

namespace mcpi::exact {

SystemRegisters::SystemRegisters(const Machine &m, uint64_t node, uint64_t phase) : node_(node) {
    const uint64_t base = m.base("io", "system");
    const auto at = [&](const char *name) { return base + m.offset("system", name); };
    at_ = {at("identity_magic"),    at("identity_node"),    at("console_data"),
           at("console_status"),    at("console_exit"),     at("timer_ticks"),
           at("timer_acknowledge"), at("timer_control"),    at("interrupt_pending"),
           at("bus_error"),         at("bus_error_address")};
    for (const char *name :
         {"identity_magic", "identity_rtl", "identity_machine", "identity_node", "console_data",
          "console_status", "console_exit", "timer_ticks", "timer_acknowledge", "timer_control",
          "interrupt_pending", "bus_error", "bus_error_address"})
        known_.push_back(at(name));
    period_ = m.timerPeriod();
    nextTimer_ = phase ? phase : period_;
    mask_ = uint64_t{1} << m.interruptBit("timer");
    cores_ = m.parameter("core.count");
    if (!m.has("bcache.private"))
        return;
    several_ = {at("core_count"), at("core_number"), at("interprocessor"),
                at("interprocessor_acknowledge")};
    known_.insert(known_.end(),
                  {several_.count, several_.number, several_.interrupt, several_.acknowledge});
    interprocessor_ = uint64_t{1} << m.interruptBit("interprocessor");
}

bool SystemRegisters::read(uint64_t tick, uint64_t address, unsigned bytes, uint64_t &value,
                           const BusFault &fault, unsigned core) {
    const uint64_t quad = address & ~uint64_t{7};
    if (quad == at_.magic)
        value = uint64_t{1} << 32 | 0x4950436D; // "mCPI", version 1
    else if (quad == at_.node)
        value = node_;
    else if (quad == at_.status)
        value = 2; // a byte can be written; nobody types
    else if (quad == at_.ticks)
        value = tick;
    else if (quad == at_.control)
        value = enabled_;
    else if (quad == at_.pending)
        value = lines(tick, core);
    else if (quad == at_.error)
        value = fault.cause();
    else if (quad == at_.errorAddress)
        value = fault.address;
    else if (quad == several_.count)
        value = cores_;
    else if (quad == several_.number)
        value = core;
    else if (known(address))
        value = 0;
    else
        return false;
    if (bytes == 4)
        value = address & 4 ? value >> 32 : value & 0xFFFFFFFF;
    return true;
}

bool SystemRegisters::write(uint64_t, uint64_t address, uint64_t value, BusFault &fault) {
    if (address == at_.data) {
        console += static_cast<char>(value);
    } else if (address == at_.exit) {
        exited = true;
        exitCode = value & 0xFF;
    } else if (address == at_.acknowledge) {
        pending_ = false;
    } else if (address == at_.control) {
        enabled_ = value & 1;
    } else if (address == at_.error) {
        fault.timeout = fault.memory = false;
    } else if (address == several_.interrupt) {
        called_ |= value & ((uint64_t{1} << cores_) - 1);
    } else if (address == several_.acknowledge) {
        called_ &= ~value;
    }
    return known(address);
}

/// Return true if a register is at `address`. A write to a read-only one changes nothing.
bool SystemRegisters::known(uint64_t address) const {
    return std::find(known_.begin(), known_.end(), address & ~uint64_t{7}) != known_.end();
}

uint64_t SystemRegisters::lines(uint64_t tick, unsigned core) {
    if (tick >= nextTimer_) {
        nextTimer_ += period_;
        pending_ |= enabled_;
    }
    return (pending_ && !core ? mask_ : 0) | (called_ >> core & 1 ? interprocessor_ : 0);
}

} // namespace mcpi::exact
