// SPDX-License-Identifier: BSD-2-Clause
#include "passages.h"

#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <fstream>

#include "base/error.h"

namespace mcpi {
namespace {

void addTo(std::vector<uint64_t> &sums, const std::vector<uint64_t> &more) {
    sums.resize(std::max(sums.size(), more.size()));
    for (std::size_t n = 0; n < more.size(); ++n)
        sums[n] += more[n];
}

} // namespace

void Passages::tick(uint64_t tick, unsigned owner, uint64_t count) {
    if (!now_.ticks)
        now_.tick = tick;
    now_.ticks += count;
    now_.owners.resize(owners_.size());
    now_.owners[owner] += count;
    last_ = count;
}

void Passages::event(const char *counter) {
    std::size_t n = 0;
    while (n < names_.size() && names_[n] != counter && std::strcmp(names_[n], counter))
        ++n;
    if (n == names_.size())
        names_.push_back(counter);
    if (now_.events.size() <= n)
        now_.events.resize(n + 1);
    now_.events[n] += last_;
}

void Passages::closes(const Marker &marker) {
    now_.open = open_;
    now_.close = marker.address;
    now_.passages = 1;
    add(now_);
    now_ = {};
}

void Passages::add(const Row &row) {
    auto &[rows, rest] = places_[{row.open, row.close}];
    if (rows++ < mostRows) {
        rest = rows_.size();
        rows_.push_back(row);
        return;
    }
    Row &sum = rows_[rest];
    sum.passages += row.passages;
    sum.ticks += row.ticks;
    addTo(sum.owners, row.owners);
    addTo(sum.events, row.events);
}

void Passages::write(const std::string &folder, unsigned node) const {
    const std::string path = folder + "/passages." + std::to_string(node) + ".csv";
    std::vector<std::size_t> order(names_.size());
    for (std::size_t n = 0; n < order.size(); ++n)
        order[n] = n;
    std::sort(order.begin(), order.end(),
              [this](auto a, auto b) { return std::strcmp(names_[a], names_[b]) < 0; });
    std::ofstream out(path);
    out << "tick,open,close,passages,ticks";
    for (const auto &owner : owners_)
        out << ",owner." << owner;
    for (const auto n : order)
        out << ',' << names_[n];
    out << '\n';
    for (const auto &r : rows_) {
        out << r.tick << ',' << std::hex << r.open << ',' << r.close << std::dec << ','
            << r.passages << ',' << r.ticks;
        for (std::size_t n = 0; n < owners_.size(); ++n)
            out << ',' << (n < r.owners.size() ? r.owners[n] : 0);
        for (const auto n : order)
            out << ',' << (n < r.events.size() ? r.events[n] : 0);
        out << '\n';
    }
    if (strays_)
        out << "strays," << strays_ << '\n';
    if (!out.flush())
        throw UserError(path + ": cannot be written.");
}

} // namespace mcpi
