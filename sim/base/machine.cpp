// SPDX-License-Identifier: BSD-2-Clause
#include "machine.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "error.h"

namespace mcpi {
namespace {

nlohmann::json parse(const std::string &path) {
    std::ifstream in(path);
    if (!in)
        throw UserError(path + ": cannot be read; is the path right?");
    try {
        return nlohmann::json::parse(in);
    } catch (const nlohmann::json::exception &error) {
        throw UserError(path + ": not JSON: " + error.what());
    }
}

} // namespace

struct Machine::Json {
    nlohmann::json value;
};

Machine::Machine(const std::string &path) : path_(path), json_(new Json{parse(path)}) {
    for (const char *part : {"parameters", "memory_map", "counters"})
        if (!json_->value.contains(part))
            throw UserError(path + ": not a resolved machine: it has no " + part +
                            "; tools/mcpi/machine/profile.py writes them.");
    name_ = json_->value.value("name", "");
}

Machine::~Machine() {
    delete json_;
}

uint64_t Machine::parameter(const std::string &key) const {
    const auto &all = json_->value["parameters"];
    const auto it = all.find(key);
    if (it == all.end())
        throw UserError(path_ + ": no parameter '" + key + "'.");
    if (it->is_boolean())
        return it->get<bool>() ? 1 : 0;
    if (it->is_string()) { // a choice
        const auto &names = json_->value["choices"][key];
        for (std::size_t n = 0; n < names.size(); ++n)
            if (names[n] == *it)
                return n;
    }
    if (!it->is_number_integer())
        throw UserError(path_ + ": '" + key + "' is not a number.");
    return it->get<uint64_t>();
}

uint64_t Machine::timerPeriod() const {
    const uint64_t hz = parameter("timer.hz");
    return (2'000'000 * parameter("clock.ticks_per_us") + hz) / (2 * hz);
}

bool Machine::has(const std::string &key) const {
    return json_->value["parameters"].contains(key);
}

void Machine::checkRegister(const std::string &key, uint64_t value) const {
    const auto &ranges = json_->value["register_ranges"];
    const auto it = ranges.find(key);
    if (it == ranges.end())
        throw UserError(path_ + ": no range for host register '" + key + "'.");
    const auto least = it->at(0).get<uint64_t>(), most = it->at(1).get<uint64_t>();
    if (value < least || value > most)
        throw UserError("host register '" + key + "' holds " + std::to_string(least) + " to " +
                        std::to_string(most) + ", not " + std::to_string(value) + ".");
}

uint64_t Machine::field(const std::string &section, const std::string &entry,
                        const char *name) const {
    const auto &map = json_->value["memory_map"];
    try {
        return map.at(section).at(entry).at(name).get<uint64_t>();
    } catch (const nlohmann::json::exception &) {
        throw UserError(path_ + ": the memory map has no " + section + "." + entry + "." + name);
    }
}

uint64_t Machine::base(const std::string &s, const std::string &e) const {
    return field(s, e, "base");
}
uint64_t Machine::size(const std::string &s, const std::string &e) const {
    return field(s, e, "size");
}
uint64_t Machine::offset(const std::string &s, const std::string &e) const {
    return field(s, e, "offset");
}
unsigned Machine::interruptBit(const std::string &source) const {
    return static_cast<unsigned>(field("interrupt", source, "bit"));
}

std::vector<std::string> Machine::counters() const {
    std::vector<std::string> names;
    for (const auto &row : json_->value["counters"])
        names.push_back(row.at("name"));
    return names;
}

bool Machine::glides() const {
    for (const auto &row : json_->value["counters"])
        if (!row.value("glides", true))
            return false;
    return true;
}

NodeInfo::NodeInfo(const std::string &path) {
    const auto json = parse(path);
    try {
        json.at("owners").get_to(owners);
        json.at("counters").get_to(counters);
        json.at("registers").get_to(registers);
        json.at("comparators").get_to(comparators);
        json.at("windows").get_to(windows);
        json.at("rtl_digest").get_to(rtlDigest);
        cores = json.value("cores", 0u);
        if (json.contains("trace"))
            for (const auto &[name, bits] : json.at("trace").items())
                trace[name] = {bits.at(0), bits.at(1)};
    } catch (const nlohmann::json::exception &error) {
        throw UserError(path + ": not a Node.json of this version: " + error.what());
    }
}

unsigned NodeInfo::number(const std::string &name) const {
    const auto it = registers.find(name);
    if (it == registers.end())
        throw UserError("this node has no host register '" + name + "'; see its Node.json.");
    return it->second;
}

} // namespace mcpi
