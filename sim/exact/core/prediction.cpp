// SPDX-License-Identifier: BSD-2-Clause
#include "prediction.h"

#include <algorithm>

#include "alpha/cpu.h"
#include "memory/geometry.h"

namespace mcpi::exact {
namespace {

using Flow = Instruction::Flow;

constexpr unsigned least = 3; // ticks of a redirection from stage E1
constexpr unsigned settles = 3;

/// Hint of a jump: JMP, JSR, RET, JSR_COROUTINE.
unsigned hint(uint32_t word) {
    return word >> 14 & 3;
}
bool pushes(const Instruction &i) {
    return i.word >> 26 == alpha::opcode::BSR || (i.flow == Flow::jump && hint(i.word) == 1);
}
bool pops(const Instruction &i) {
    return i.flow == Flow::jump && hint(i.word) >= 2;
}
int64_t sign(uint32_t word, unsigned bits) {
    return static_cast<int64_t>(uint64_t{word} << (64 - bits)) >> (64 - bits);
}

} // namespace

Prediction::Prediction(const Machine &m)
    : on_(m.parameter("core.prediction")),
      penalty_(std::max<unsigned>(least, memory::geometry(m).takenPenalty)),
      right_(std::max<unsigned>(1, m.parameter("core.predicted_penalty"))),
      astray_(std::max<unsigned>(least, m.parameter("core.mispredict_penalty"))),
      blockBytes_(m.parameter("cache.block")), coming_{iccsr_, settles},
      history_(m.parameter("icache.size") / 4) {
    if (on_)
        penalty_ = astray_;
}

void Prediction::instructionFetched(bool follows) {
    if (coming_.iccsr == iccsr_)
        return;
    ++coming_.instructions;
    if (!follows || coming_.instructions > settles ||
        (coming_.instructions == settles && !coming_.waited))
        iccsr_ = coming_.iccsr;
}

std::optional<uint64_t> Prediction::target(const Instruction &i, uint64_t pc, uint64_t word) const {
    const uint64_t next = alpha::place(pc, 4);
    const auto branch = [&] { return alpha::place(next, 4 * sign(i.word, 21)); };
    switch (i.flow) {
    case Flow::branch:
        return branch();
    case Flow::conditional:
        if (has(bpe) && (has(bhe) ? history_[word] != 0 : i.word >> 20 & 1))
            return branch();
        return std::nullopt;
    case Flow::jump:
        if (!has(jse))
            return std::nullopt;
        if (pops(i))
            return stack_[(top_ + stack_.size() - 1) % stack_.size()];
        return alpha::place(next, 4 * sign(i.word, 14));
    default:
        return std::nullopt;
    }
}

void Prediction::issues(const Instruction &i, uint64_t pc) {
    if (!has(jse))
        return;
    if (pops(i))
        top_ = (top_ + stack_.size() - 1) % stack_.size();
    if (pushes(i) || (pops(i) && hint(i.word) == 3)) {
        stack_[top_] = alpha::place(pc, 4);
        top_ = (top_ + 1) % stack_.size();
    }
}

void Prediction::learns(const Instruction &i, uint64_t word, bool wrong) {
    if (wrong && i.flow == Flow::conditional && has(bpe) && has(bhe))
        history_[word] ^= 1;
}

void Prediction::filled(uint64_t place, const uint8_t *bytes) {
    for (uint64_t at = 0; at < blockBytes_; at += 4) // bit 20 of each word
        history_[(place * blockBytes_ + at) / 4] = bytes[at + 2] >> 4 & 1;
}

} // namespace mcpi::exact
