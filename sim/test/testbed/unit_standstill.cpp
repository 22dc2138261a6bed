// SPDX-License-Identifier: BSD-2-Clause
// When no core can go on, and when some can: cores that are told what they execute.
#include <string>

#include "machines/instructions.h"
#include "test/check.h"
#include "testbed/standstill.h"

using namespace mcpi;

namespace {

constexpr uint64_t period = 1000, begins = 1 << 18, emptied = 1 << 14;
constexpr uint32_t addq = alpha::opcode::INTA << 26, stq = alpha::opcode::STQ << 26;
constexpr uint32_t conditional = alpha::opcode::STQ_C << 26, mb = 0x60004000, rpcc = 0x6000C000;
constexpr uint32_t palCall = 0x83;

/// A span in which both cores do something before the write buffers are empty, and behind that.
struct Span {
    Standstill cores{2, period};
    Standstill::Registers registers{};
    Span() {
        CHECK(cores.next() == begins && !cores.looks());
        CHECK(!cores.at());
        CHECK(cores.looks() && cores.next() == begins + emptied);
    }
    void does(unsigned core, uint64_t pc, uint64_t value = 0, uint32_t word = addq,
              bool device = false) {
        registers[7] = value;
        cores.executed(core, pc, word, device, registers);
    }
    /// The write buffers are empty.
    void goesOn() {
        CHECK(!cores.at());
        CHECK(cores.next() == begins + emptied + 2 * period);
    }
    void spins(unsigned core) {
        for (const uint64_t pc : {0x1000, 0x1004, 0x1000})
            does(core, pc);
    }
    bool ends() {
        const bool found = cores.at();
        CHECK(!cores.looks() && cores.next() == 2 * begins);
        return found;
    }
};

void endsLike(uint32_t word, bool device, uint64_t pc, bool early) {
    Span span;
    span.spins(0);
    if (!early)
        span.goesOn();
    span.spins(0);
    span.does(1, pc, 0, word, device);
    CHECK(!span.cores.looks() && span.cores.next() == 2 * begins);
}

} // namespace

int main() {
    {
        Span span; // both spin
        span.goesOn();
        span.spins(0);
        span.spins(1);
        CHECK(span.ends());
    }
    {
        Span span; // the other has halted, or sleeps
        span.goesOn();
        span.spins(0);
        CHECK(span.ends());
    }
    {
        Span span; // one goes on
        span.goesOn();
        span.spins(0);
        for (uint64_t n = 0; n < 8; ++n)
            span.does(1, 0x2000 + 4 * n);
        CHECK(!span.ends());
    }
    {
        Span span; // one counts in a register
        span.goesOn();
        span.spins(0);
        for (uint64_t n = 0; n < 8; ++n)
            span.does(1, 0x2000, n);
        CHECK(!span.ends());
    }
    {
        Span span; // one has spun until a store of before was visible
        span.spins(1);
        span.goesOn();
        span.spins(0);
        for (uint64_t n = 0; n < 8; ++n)
            span.does(1, 0x2000 + 4 * n);
        CHECK(!span.ends());
    }
    {
        Span span; // barriers change nothing
        span.goesOn();
        for (const uint64_t pc : {0x1000, 0x1004, 0x1000})
            span.does(0, pc, 0, mb);
        CHECK(span.ends());
    }
    for (const bool early : {true, false}) {
        for (const uint32_t word : {stq, conditional, rpcc, palCall})
            endsLike(word, false, 0x2000, early);
        endsLike(addq, true, 0x2000, early);
        endsLike(addq, false, 0x2001, early); // PAL mode
    }
    Standstill slow(1, begins); // a span is longer than the first tick that it could begin in
    CHECK(slow.next() == 4 * begins);
    return 0;
}
