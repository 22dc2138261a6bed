// SPDX-License-Identifier: BSD-2-Clause
// Accesses to devices.
#include "core.h"

#include <algorithm>

#include "alpha/operate.h"

namespace mcpi::exact {

/// The store to the exit register has issued: when does it retire?
void Core::exits() {
    if (exit_.retires == never && exit_.issued != never && retirement_.knows())
        exit_.retires = retirement_.retires(exit_.number, exit_.issued);
}

void Core::toDevice(uint64_t issued, const IoAccess &access) {
    if (access.write && access.address == exitAddress_ && exit_.issued == never) {
        exit_ = {never, static_cast<unsigned>(access.value & 0xFF), retirement_.number(), issued};
        exits();
    }
    device_ = Io::draining;
    ioIssued_ = issued;
    access_ = access;
}

/// The access to a device that has issued begins when stores before it are out.
void Core::devices(uint64_t tick) {
    if (device_ == Io::draining && tick > ioIssued_ + 1 && memory_.drained()) {
        device_ = Io::running;
        io_->begin(tick, access_.address, access_.bytes, access_.write, access_.value);
        ioDone_ = never;
    }
    if (device_ == Io::running && io_->answers(tick) == tick)
        answered();
}

void Core::answered() {
    device_ = Io::none;
    ioDone_ = memory_.now() + 1;
    uint64_t value = 0;
    const bool good = access_.write
                          ? io_->write(memory_.now(), access_.address, access_.bytes, access_.value)
                          : io_->read(memory_.now(), access_.address, access_.bytes, value);
    if (!good) // one instruction still issues
        machineCheck_ = std::min(machineCheck_, memory_.now() + 2);
    if (!access_.write && access_.reg != 31)
        cpu_.r[access_.reg] = access_.bytes == 4 ? alpha::sext32(value) : value;
    busResult_ = {ioDone_, access_.reg};
}

} // namespace mcpi::exact
