// SPDX-License-Identifier: BSD-2-Clause
// Stations, switches and the links between them, in equal virtual time.
//
// Time goes in windows as long as a nibble on the shortest link: nothing that is sent in a window
// arrives in it, so that stations and switches may run one after the other.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "link/pcap.h"
#include "link/port.h"
#include "plan.h"
#include "switch.h"
#include "testbed/station.h"

namespace mcpi {

class Network {
  public:
    /// `stations`: by number; files go to `out`.
    Network(const NetworkPlan &plan, std::vector<Station *> stations, std::string out);

    /// Run until every station that ends has. RunError if a station hangs, if all wait for a frame
    /// and there is none, or if the plan's ticks are over. `waits`: this station does nothing but
    /// wait for a frame; `patience`: ticks of silence until that is an error.
    void run(const std::function<bool(unsigned)> &waits, uint64_t patience);
    /// Write a pcap of each link, the stations' files, and `run.json` as of a pair, with what links
    /// and switches counted. `ended`: the tick in which each station's guest has exited.
    void write(double seconds, const std::function<uint64_t(unsigned)> &ended);
    uint64_t now() const { return now_; }

  private:
    struct Link {
        std::array<std::unique_ptr<Line>, 2> lines; ///< from end n to the other
        Pcap frames;
        std::array<uint64_t, 2> sent{}; ///< frames, by the end that has sent them
    };

    void plug(const LinkPlan &link);
    std::unique_ptr<Line> line(const LinkPlan &link, unsigned from, unsigned number) const;
    bool over() const;
    uint64_t quietTicks() const;
    bool collect();
    void look(const std::function<bool(unsigned)> &waits, uint64_t patience);
    bool silent() const;

    const NetworkPlan &plan_;
    std::vector<Station *> stations_;
    std::string out_;
    std::vector<Link> links_;
    std::vector<Switch> switches_;
    std::vector<std::unique_ptr<Port>> ports_; ///< by station
    uint64_t lookahead_ = Line::never, now_ = 0, looked_ = 0;
    uint64_t stirred_ = 0; ///< the last look at which somebody did not only wait
};

} // namespace mcpi
