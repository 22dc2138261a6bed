// SPDX-License-Identifier: BSD-2-Clause
// Stages F1 and F2: which instruction stage D gets, and its word.
#include "core.h"

namespace mcpi::exact {
namespace {

using memory::Arrival;
using memory::Kind;
using memory::Step;

} // namespace

/// Stage D wants the instruction at the program counter.
void Core::wants(Arrival arrival) {
    step_.what = Step::What::issue;
    step_.kind = Kind::other;
    step_.locks = false;
    step_.pc = physical(cpu_.pc);
    if (translates_)
        fetchesFrom();
    step_.arrival = arrival;
    arrived_ = false;
    memory_.begin(step_);
}

/// The word is read until the instruction is there: from memory, unless that has changed since.
void Core::look() {
    const uint64_t pc = step_.pc;
    uint32_t word = 0;
    if (pc < cpu_.ram().size()) {
        word = static_cast<uint32_t>(cpu_.ram().get(pc, 4));
        if (fetched_.any()) {
            if (memory_.readBefore(pc)) {
                word = fetched_.ahead(pc);
            } else {
                fetched_.passed();
                word = fetched_.word(pc, cpu_.ram());
            }
        }
    }
    instruction_ = decoder_(pc, word);
    step_.kind = instruction_.kind;
    if (step_.lost || (step_.kind == Kind::flushSpaces && !translates_))
        step_.kind = Kind::other;
    if (cold_ == step_.pc && memory_.now() >= coldFrom_)
        step_.what = Step::What::cold;
}

/// It is there for the first time.
void Core::instructionArrived() {
    arrived_ = true;
    came_ = memory_.now();
    quiet_ = false;
    step_.locks = instruction_.locks;
    guess_.reset();
    if (prediction_.on()) {
        prediction_.instructionFetched(step_.arrival == Arrival::sequential);
        guess_ = prediction_.target(instruction_, cpu_.pc, fetchedWord());
        if (guess_)
            memory_.follow(physical(*guess_), prediction_.right(0));
    }
}

/// Where the I-cache has stage D's instruction, counted in words.
uint64_t Core::fetchedWord() const {
    return (memory_.placeOf(step_) * blockBytes_ + step_.pc % blockBytes_) / 4;
}

/// A block has come into this place of the I-cache, from memory or from the victim cache.
void Core::fetchedIn(uint64_t block, uint64_t place, bool recalled) {
    if (fetched_.any() && !recalled)
        fetched_.blockArrived(block);
    if (prediction_.on())
        prediction_.filled(place, fetched_.bytes(block, cpu_.ram()));
}

} // namespace mcpi::exact
