// SPDX-License-Identifier: BSD-2-Clause
// The network card of a machine, as `lance.wiring` has it.
#pragma once
#include <type_traits>
#include <variant>

#include "ioasic.h"
#include "pmad.h"

namespace mcpi::exact {

constexpr unsigned pmadSlot = 0, ioasicSlot = 7;

/// Wirings, in the order of the parameter's choices.
enum class LanceWiring { ioasic, pmad, dense };

class Card {
  public:
    Card(const LanceTimes &times, LanceWiring wiring)
        : card_(wiring == LanceWiring::pmad
                    ? Wiring(std::in_place_type<Pmad>, times)
                    : Wiring(std::in_place_type<Ioasic>, times, wiring == LanceWiring::dense)) {}

    /// The TURBOchannel slot that it is in.
    unsigned slot() const { return std::holds_alternative<Pmad>(card_) ? pmadSlot : ioasicSlot; }
    TcOption &option() {
        return std::visit([](auto &c) -> TcOption & { return c; }, card_);
    }
    uint64_t next() const {
        return std::visit([](const auto &c) { return c.next(); }, card_);
    }
    void at(uint64_t tick, TcHost &bus, Port &wire) {
        std::visit([&](auto &c) { c.at(tick, bus, wire); }, card_);
    }
    /// Give the card the wire's pins in this tick.
    void hears(uint64_t tick, const Pins &pins) {
        std::visit([&](auto &c) { c.hears(tick, pins); }, card_);
    }
    /// The card of slot 7; null: another, with memory of its own.
    const Ioasic *ioasic() const { return std::get_if<Ioasic>(&card_); }
    LanceState state() const {
        return std::visit([](const auto &c) { return c.lance().state(); }, card_);
    }
    void setHalfDuplex(bool half) {
        std::visit([&](auto &c) { c.setHalfDuplex(half); }, card_);
    }
    /// Give a chip behind the IOASIC the classifier; false: another has no room for the entries.
    bool classify() {
        auto *ioasic = std::get_if<Ioasic>(&card_);
        if (ioasic)
            ioasic->classify();
        return ioasic;
    }
    /// Steps of the chip are kept from now on.
    void watch() {
        std::visit([](auto &c) { c.watch(); }, card_);
    }
    /// Steps that have ended since the last call.
    std::vector<LanceStep> steps() {
        return std::visit([](auto &c) { return c.steps(); }, card_);
    }
    /// The slot's interrupt line, as the card drives it in this tick.
    bool line() const {
        return std::visit([](const auto &c) { return c.line(); }, card_);
    }

  private:
    using Wiring = std::variant<Ioasic, Pmad>;
    Wiring card_;
};

// A copy of the parts is a copy of the state.
static_assert(std::is_copy_assignable_v<Card> && std::is_copy_assignable_v<TcHost>);

} // namespace mcpi::exact
