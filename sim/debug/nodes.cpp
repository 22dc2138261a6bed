// SPDX-License-Identifier: BSD-2-Clause
#include "nodes.h"

#include <cinttypes>

#include "base/text.h"
#include "exact_answers.h"
#include "why.h"

namespace mcpi::debug {

std::optional<std::string> Nodes::answer(Timeline &timeline, const std::string &word,
                                         const std::string &argument, unsigned thread) {
    if (word == "rings" && argument.empty())
        return rings(thread);
    return exactAnswer(*this, timeline, word, argument, thread);
}

std::string Nodes::rings(unsigned node) const {
    const exact::Node &machine = pair_.node(node).node();
    const exact::Ioasic *card = machine.card().ioasic();
    if (!card)
        return "monitor rings: this machine's card has its descriptors in memory of its own.\n";
    const exact::IoasicDma &dma = card->dma();
    const auto word = [&](uint32_t at) {
        const uint64_t place = dma.wordAt(at);
        return machine.byteAt(place) | unsigned{machine.byteAt(place + 1)} << 8;
    };
    std::string said = text("csr0 %04x\n", card->lance().state().csr0);
    const auto ring = [&](const char *name, const am7990::Ring &of) {
        for (unsigned n = 0; n < of.size && of.base; ++n) {
            const uint32_t at = of.base + 8 * n;
            const unsigned flags = word(at + 2);
            const uint32_t buffer = word(at) | (flags & 0xFF) << 16;
            said += text("%s %2u%s at %" PRIx64 ": %s%s%s%s, buffer %" PRIx64
                         ", bytes %u, word 3 %04x\n",
                         name, n, n == of.index ? " *" : "  ", program(dma.wordAt(at)),
                         flags & am7990::OWN ? "controller" : "program",
                         flags & am7990::FAILED ? " ERR" : "", flags & am7990::STP ? " STP" : "",
                         flags & am7990::ENP ? " ENP" : "", program(dma.byteAt(buffer)),
                         0x10000 - (word(at + 4) | 0xF000), word(at + 6));
        }
    };
    ring("receive", card->lance().receiveRing());
    ring("transmit", card->lance().transmitRing());
    return said;
}

} // namespace mcpi::debug
