// SPDX-License-Identifier: BSD-2-Clause
#include "calllog.h"

#include "base/error.h"

namespace mcpi {

CallLog::CallLog(const std::string &places, const std::string &folder, unsigned node)
    : path_(folder + "/calls." + std::to_string(node) + ".csv") {
    std::ifstream in(places);
    if (!in)
        throw UserError(places + ": cannot be read; is the path right?");
    std::string line;
    while (std::getline(in, line))
        try {
            places_.insert(physical(std::stoull(line, nullptr, 0)));
        } catch (const std::logic_error &) {
            throw UserError(places + ": an address on each line is wanted, not '" + line + "'.");
        }
}

void CallLog::log(uint64_t tick, uint64_t pc, const Values &values) {
    open();
    out_ << std::dec << tick << std::hex << ',' << physical(pc);
    for (const uint64_t value : values)
        out_ << ',' << value;
    out_ << '\n';
}

/// The folder is there when the first tick passes.
void CallLog::open() {
    if (out_.is_open())
        return;
    out_.open(path_);
    out_ << "tick,pc,v0,a0,ra,sp\n";
}

void CallLog::retired(const Retirement &r) {
    if (wants(r.pc)) {
        Values now;
        for (unsigned i = 0; i < registers.size(); ++i)
            now[i] = values_[registers[i]];
        log(issued_.front(), r.pc, now);
        issued_.pop_front();
    }
    if (r.writes)
        values_[r.reg & 31] = r.value;
}

void CallLog::close() {
    open();
    if (!out_.flush())
        throw UserError(path_ + ": cannot be written.");
}

} // namespace mcpi
