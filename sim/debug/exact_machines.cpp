// SPDX-License-Identifier: BSD-2-Clause
#include "exact_machines.h"

#include "exact/core/instruction.h"
#include "exact/node/counters.h"

namespace mcpi::debug {
namespace {

using memory::Kind;
using memory::TickEvents;

} // namespace

std::vector<std::string> ExactMachines::owners() const {
    return exact::CounterBanks::info(machine()).owners;
}

std::vector<uint64_t> ExactMachines::ownerTicks(unsigned thread) {
    const std::map<std::string, uint64_t> all = counters(thread).all;
    std::vector<uint64_t> found;
    for (const std::string &owner : owners()) {
        const auto one = all.find("owner." + owner);
        found.push_back(one == all.end() ? 0 : one->second);
    }
    return found;
}

std::string ExactMachines::bytesAt(unsigned thread, uint64_t physical, uint64_t count) {
    const exact::Core &of = core(thread);
    const uint64_t size = of.cpu().ram().size();
    std::string found;
    for (uint64_t at = physical; at < size && found.size() < count; ++at)
        found += static_cast<char>(of.seen(at & ~uint64_t{7}) >> 8 * (at & 7));
    return found;
}

std::optional<Access> ExactMachines::accessed(unsigned thread, uint64_t pc) const {
    const exact::Core::Issued &did = core(thread).issued();
    const Kind kind = did.step.kind;
    if (kind != Kind::load && kind != Kind::store && kind != Kind::conditional)
        return {};
    return Access{did.step.address, exact::Instruction(wordAt(cpu(thread), pc)).bytes, did.stores};
}

bool ExactMachines::dmaWrites(unsigned thread) const {
    const TickEvents &events = core(thread).memory().tickEvents();
    return events.has(TickEvents::dmaEnds) || events.has(TickEvents::dmaTaken);
}

std::optional<Machines::Exit> ExactMachines::exit(unsigned thread) const {
    const exact::Core::Exit &exit = core(thread).exit();
    if (exit.issued == memory::never)
        return {};
    return Exit{exit.issued, exit.code};
}

} // namespace mcpi::debug
