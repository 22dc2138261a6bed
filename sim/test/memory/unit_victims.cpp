// SPDX-License-Identifier: BSD-2-Clause
// The D-cache's victim cache and writes of DMA (docs/explanation/memory.md, Victim caches): a write
// that ends in each tick around a victim hit, to the block that comes back, and to the one that it
// displaces.
#include <map>
#include <string>

#include "memory/trace_driven.h"
#include "test/check.h"

using namespace mcpi::memory;

namespace {

constexpr uint64_t one = 0x400000, other = one + 8192; // addresses in one set
constexpr int comes = 5;                               // ticks of a victim hit
constexpr unsigned dmaTicks = 1;

/// An instruction in a loop, in stage D as soon as it may.
class Program {
  public:
    Program() : model_(geometry()) {
        model_.onTick = [](uint64_t) {};
        model_.onEvent = [this](uint64_t, mcpi::Event event) { ++counts_[mcpi::nameOf(event)]; };
        issue(Kind::other);
    }
    /// When it issued.
    uint64_t issue(Kind kind, uint64_t address = 0) {
        Step step;
        step.pc = 0x10000;
        step.kind = kind;
        step.address = address;
        step.arrival = model_.now() ? Arrival::redirected : Arrival::reset;
        return model_.paced(step);
    }
    /// Load, and return where it hits; all is over before and after it.
    char loads(uint64_t address) {
        const auto before = counts_;
        issued_ = issue(Kind::load, address);
        for (unsigned n = 0; n < 100; ++n)
            issue(Kind::other);
        const auto counted = [&](const char *counter) {
            return counts_[counter] > (before.count(counter) ? before.at(counter) : 0);
        };
        CHECK(counted("dcache.misses") == counted("bcache.loads"));
        return counted("dcache.misses") ? 'm' : counted("dcache.victim_hits") ? 'v' : 'h';
    }
    uint64_t issued() const { return issued_; }
    /// DMA writes there; the write ends in this tick.
    void writes(uint64_t address, uint64_t ends) { model_.dma({ends - dmaTicks, address, true}); }

  private:
    static Geometry geometry() {
        Geometry g;
        g.prefetch = false;
        g.dVictims = 2;
        g.dVictimTicks = comes;
        g.dmaTicks = dmaTicks;
        return g;
    }
    TraceDriven model_;
    std::map<std::string, unsigned> counts_;
    uint64_t issued_ = 0;
};

/// How the load that finds its block displaced hits, and then a load of `then`; DMA's write, if
/// there is one, ends so many ticks after the former was in stage E1.
std::string around(uint64_t then, uint64_t written = 0, int ends = 0) {
    Program plain, program;
    for (Program *each : {&plain, &program}) {
        CHECK(each->loads(one) == 'm');
        CHECK(each->loads(other) == 'm');
    }
    plain.loads(one);
    if (written)
        program.writes(written, plain.issued() + 1 + ends);
    const char first = program.loads(one);
    CHECK(program.issued() == plain.issued());
    return {first, program.loads(then)};
}

} // namespace

int main() {
    CHECK(around(one) == "vh");
    CHECK(around(other) == "vv");
    for (int ends = -3; ends <= comes + 3; ++ends) {
        const bool before = ends < 0;
        CHECK(around(one, one, ends) == (before ? "mh" : "vm"));
        CHECK(around(other, one, ends) == (before ? "mv" : "vv"));
        CHECK(around(one, other, ends) == "vh");
        CHECK(around(other, other, ends) == "vm");
    }
}
