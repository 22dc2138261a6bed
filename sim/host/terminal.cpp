// SPDX-License-Identifier: BSD-2-Clause
#include "terminal.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <pty.h>
#include <termios.h>
#include <unistd.h>
#include <vector>

#include "base/error.h"

namespace mcpi {

Terminal::Terminal(const std::string &link) : link_(link) {
    char name[128];
    termios raw{};
    cfmakeraw(&raw);
    raw.c_cflag |= CREAD | CLOCAL | CS8;
    if (openpty(&master_, &slave_, name, &raw, nullptr))
        throw UserError("no pseudo-terminal to be had: " + std::string(std::strerror(errno)));
    fcntl(master_, F_SETFL, fcntl(master_, F_GETFL) | O_NONBLOCK);
    unlink(link.c_str());
    if (symlink(name, link.c_str()))
        throw UserError(link + ": " + std::strerror(errno));
}

Terminal::~Terminal() {
    close(slave_);
    close(master_);
    unlink(link_.c_str());
}

bool Terminal::read(uint8_t &byte) {
    return ::read(master_, &byte, 1) == 1;
}

bool Terminal::flush() {
    bool some = false;
    while (!waiting_.empty()) {
        const std::vector<uint8_t> part(waiting_.begin(), waiting_.end());
        const ssize_t n = ::write(master_, part.data(), part.size());
        if (n <= 0)
            break;
        waiting_.erase(waiting_.begin(), waiting_.begin() + n);
        some = true;
    }
    return some;
}

} // namespace mcpi
