// SPDX-License-Identifier: BSD-2-Clause
#include "cabled_boards.h"

#include <poll.h>
#include <unistd.h>

namespace mcpi {
namespace {

constexpr unsigned stepsAtOnce = 2000; // edges of clocks between two looks at the terminals
constexpr unsigned resetClocks = 64;   // of a node
constexpr unsigned lossClocks = 500;   // 5 µs: some message begins
constexpr uint64_t quietClocks = 2000; // a register that was written has acted

} // namespace

/// A board, its PHY, its line.
struct CabledBoards::Side {
    struct Clock {
        CData &pin;
        int64_t half, next;
        bool fell; ///< since the last evaluation
    };
    struct Pins {
        CData &reset, &rxd, &txd, &read, &mdc, &write, &drive, &phyReset, &lose, &shown, &running;
    };
    Clock node, quarter;
    Pins pins;
    MdioPhy phy;
    Terminal terminal;
    SerialPins line;
    uint64_t clocks = 0, quarters = 0;
};

CabledBoards::CabledBoards(const CableOptions &o)
    : top_(new VCabledBoards(&context_)), random_(o.seed), loss_(o.loss) {
    VCabledBoards &t = *top_;
    using Clock = Side::Clock;
    using Pins = Side::Pins;
    const auto clock = [](CData &pin, const Quartz &q) {
        return Clock{pin, q.half, q.phase, false};
    };
    const auto port = [&](int n) { return o.out + "/serial." + std::to_string(n); };
    sides_.emplace_back(
        new Side{clock(t.client_clk, o.side[0].node),
                 clock(t.client_quarter, o.side[0].quarter),
                 Pins{t.client_reset, t.client_rxd, t.client_txd, t.client_read, t.client_mdc,
                      t.client_write, t.client_drive, t.client_phyReset, t.client_lose,
                      t.client_shown, t.client_running},
                 MdioPhy(o.phy),
                 Terminal(port(0)),
                 {}});
    sides_.emplace_back(
        new Side{clock(t.server_clk, o.side[1].node),
                 clock(t.server_quarter, o.side[1].quarter),
                 Pins{t.server_reset, t.server_rxd, t.server_txd, t.server_read, t.server_mdc,
                      t.server_write, t.server_drive, t.server_phyReset, t.server_lose,
                      t.server_shown, t.server_running},
                 MdioPhy(o.phy),
                 Terminal(port(1)),
                 {}});
    t.client_delay = o.side[0].delay;
    t.server_delay = o.side[1].delay;
    t.eval(); // resets rise later: some act at their edge
    for (auto &side : sides_)
        side->pins.reset = side->pins.rxd = side->pins.read = 1;
}

CabledBoards::~CabledBoards() = default;

/// The edge that comes next. Nothing in the boards follows a falling edge of these clocks, so the
/// model sees it in the evaluation for the next rise of any clock.
void CabledBoards::step() {
    Side *at = sides_[0].get();
    Side::Clock *next = &at->node;
    for (auto &side : sides_)
        for (Side::Clock *clock : {&side->node, &side->quarter})
            if (clock->next < next->next) {
                next = clock;
                at = side.get();
            }
    next->next += next->half;
    if (next->pin) {
        next->pin = 0;
        next->fell = true;
        return;
    }
    if (next->fell)
        evaluate();
    next->pin = 1;
    evaluate();
    if (next == &at->quarter) {
        if (++at->quarters % lossClocks == 0)
            at->pins.lose = double(random_() >> 11) * 0x1p-53 < loss_;
        return;
    }
    at->pins.reset = ++at->clocks < resetClocks;
    at->pins.rxd = at->line.clock(at->pins.txd);
    at->pins.read = at->phy.pins(at->pins.mdc, at->pins.write, at->pins.drive);
    uint8_t byte;
    if (at->line.receive(byte)) {
        at->terminal.write(byte);
        quiet_ = 0;
    }
    ++quiet_;
}

void CabledBoards::evaluate() {
    top_->eval();
    for (auto &side : sides_)
        side->node.fell = side->quarter.fell = false;
}

/// Bytes between terminals and lines, and link between the PHYs.
void CabledBoards::exchange() {
    bool held = false, runs = false;
    for (auto &side : sides_) {
        uint8_t byte;
        while (side->terminal.read(byte)) {
            side->line.send(byte);
            quiet_ = 0;
        }
        side->terminal.flush();
        if (side->pins.phyReset) {
            side->phy.reset();
            held = true;
        }
        runs |= side->pins.running || side->line.sends();
    }
    MdioPhy::join(sides_[0]->phy, sides_[1]->phy, held);
    for (auto &side : sides_)
        side->pins.shown = side->phy.shown();
    if (runs)
        quiet_ = 0;
}

/// Waits so long for a byte; false when standard input has ended.
bool CabledBoards::hostIsThere(int milliseconds) {
    std::vector<pollfd> files = {{STDIN_FILENO, POLLIN, 0}};
    for (const auto &side : sides_)
        files.push_back({side->terminal.descriptor(), POLLIN, 0});
    poll(files.data(), files.size(), milliseconds);
    char c;
    return !(files[0].revents & (POLLIN | POLLHUP)) || ::read(STDIN_FILENO, &c, 1) > 0;
}

void CabledBoards::run() {
    do {
        exchange();
        for (unsigned n = 0; n < stepsAtOnce; ++n)
            step();
    } while (hostIsThere(quiet_ > quietClocks ? 20 : 0));
}

} // namespace mcpi
