// SPDX-License-Identifier: BSD-2-Clause
// Host link against a node written down from contracts.md 5, with console bytes in between and
// broken blocks.
#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>

#include "base/error.h"
#include "host/hostlink.h"
#include "link/frame.h"
#include "test/check.h"

using namespace mcpi;

namespace {

/// The other end; answers when `idle` has been called a few times.
class Fake : public ByteLink {
  public:
    void send(uint8_t byte) override {
        in_.push_back(byte);
        answer();
    }
    bool receive(uint8_t &byte) override {
        if (endless && !wait_ && out_.empty())
            print('x');
        if (wait_ || out_.empty())
            return false;
        byte = out_.front();
        out_.pop_front();
        return true;
    }
    void idle() override {
        if (wait_)
            --wait_;
    }
    void print(char c) {
        out_.push_back(0x40);
        out_.push_back(static_cast<uint8_t>(c));
    }

    std::vector<uint8_t> ram = std::vector<uint8_t>(1 << 16);
    std::map<unsigned, uint64_t> registers;
    unsigned breakBlocks = 0;
    bool dead = false, endless = false;

  private:
    uint64_t number(std::size_t at, unsigned bytes) {
        uint64_t value = 0;
        std::memcpy(&value, &in_[at], bytes);
        return value;
    }
    void reply(std::vector<uint8_t> bytes) {
        if (dead)
            return;
        print('.'); // the guest prints at the worst moment
        out_.insert(out_.end(), bytes.begin(), bytes.end());
        in_.clear();
        wait_ = 3;
    }
    /// Opcode, so many bytes and their CRC are there.
    bool whole(std::size_t bytes) {
        if (in_.size() < 1 + bytes + 4)
            return false;
        CHECK(number(1 + bytes, 4) == crc32(in_.data(), 1 + bytes));
        return true;
    }
    void answer() {
        switch (in_[0]) {
        case 0x01:
            reply({0x01, 'm', 'C', 'P', 'I', 2});
            break;
        case 0x10: {
            if (!whole(6))
                return;
            const uint64_t size = number(5, 2);
            if (in_.size() < 11 + size + 4)
                return;
            CHECK(size % 8 == 0);
            const bool good = number(11 + size, 4) == crc32(in_.data() + 11, size);
            if (!good || breakBlocks) {
                if (breakBlocks)
                    --breakBlocks;
                reply({0x10, 1});
                return;
            }
            std::copy_n(in_.begin() + 11, size, ram.begin() + static_cast<long>(number(1, 4)));
            reply({0x10, 0});
            break;
        }
        case 0x11: {
            if (!whole(6))
                return;
            std::vector<uint8_t> bytes = {0x11};
            const auto from = ram.begin() + static_cast<long>(number(1, 4));
            bytes.insert(bytes.end(), from, from + static_cast<long>(number(5, 2)));
            reply(withFcs(bytes));
            break;
        }
        case 0x20:
            if (!whole(10))
                return;
            registers[static_cast<unsigned>(number(1, 2))] = number(3, 8);
            reply({0x20});
            break;
        case 0x21: {
            if (!whole(2))
                return;
            std::vector<uint8_t> bytes = {0x21};
            const uint64_t value = registers[static_cast<unsigned>(number(1, 2))];
            for (int i = 0; i < 8; ++i)
                bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
            reply(withFcs(bytes));
            break;
        }
        default:
            CHECK(false);
        }
    }
    std::vector<uint8_t> in_;
    std::deque<uint8_t> out_;
    unsigned wait_ = 0;
};

} // namespace

int main() {
    Fake fake;
    HostLink link(fake, 1000);
    CHECK(link.ping() == 2);
    std::vector<uint8_t> bytes(5003);
    std::iota(bytes.begin(), bytes.end(), uint8_t{7});
    fake.breakBlocks = 2;
    link.writeRam(0x100, bytes);
    CHECK(link.retries == 2);
    bytes.resize(5008);
    CHECK(std::equal(bytes.begin(), bytes.end(), fake.ram.begin() + 0x100));
    CHECK(link.readRam(0x100, bytes.size()) == bytes);
    link.writeRegister(0x123, 0x0123456789ABCDEF);
    CHECK(link.readRegister(0x123) == 0x0123456789ABCDEF);
    fake.print('!');
    link.poll();
    CHECK(link.console.back() == '!' && link.console.size() > 10);
    fake.dead = true;
    for (bool prints : {false, true}) {
        fake.endless = prints;
        CHECK_REFUSED(RunError, link.ping());
    }
}
