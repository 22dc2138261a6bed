// SPDX-License-Identifier: BSD-2-Clause
#include "mutants.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "base/error.h"

namespace mcpi {
namespace {

constexpr const char *variable = "MCPI_MUTANT"; // verify/verilog_mutants.py
constexpr uint64_t ticksPerDigest = 16, digests = 1 << 20;
constexpr uint64_t longestStop = 5000; // clocks without a tick: longer than any hold
constexpr uint64_t patience = 4000;    // clocks after the first difference, for the model to see it
constexpr uint64_t retiresIn = 2000;   // clocks: who has not by then hangs
enum Verdict { survives, model, ticks, hangs };
constexpr const char *names[] = {"survives", "model", "ticks", "hangs"};

/// Run of the right core, in memory that processes share.
struct Right {
    uint64_t length; ///< of `digest`
    uint64_t digest[digests];
    char said[1 << 20];
};

uint64_t digest(const CoreBench &bench) {
    return bench.eventDigest * 31 + bench.portDigest;
}

[[noreturn]] void leave(int status) {
    std::fflush(stdout);
    std::fflush(stderr);
    _exit(status);
}

void watchRight(CoreBench &bench, Right &right) {
    bench.watch = [&bench, &right, n = uint64_t{0}](bool tick) mutable {
        if (!tick || ++n % ticksPerDigest || right.length == digests)
            return;
        right.digest[right.length++] = digest(bench);
    };
}

/// Ends the process when the mutant has done something else in some tick, and the model has had
/// time to see what; or when it does nothing any more.
void watchMutant(CoreBench &bench, const Right &right) {
    uint64_t n = 0, withheld = 0, retired = 0, at = 0, differs = 0;
    bench.watch = [=, &bench, &right](bool tick) mutable {
        if (retired != bench.lockstep().instructions) {
            retired = bench.lockstep().instructions;
            at = bench.clocks;
        }
        withheld = tick ? 0 : withheld + 1;
        if (tick && ++n % ticksPerDigest == 0 && !differs) {
            const uint64_t place = n / ticksPerDigest - 1;
            if (place >= right.length || right.digest[place] != digest(bench))
                differs = bench.clocks;
        }
        if (withheld > longestStop)
            leave(hangs);
        if (differs && bench.clocks - differs > patience)
            leave(bench.clocks - at > retiresIn ? hangs : ticks);
    };
}

[[noreturn]] void run(CoreBench &bench, uint64_t instructions, bool isRight, Right &right,
                      const std::function<std::string()> &tell) {
    try {
        bench.run(instructions);
    } catch (const std::exception &error) {
        if (isRight)
            std::fprintf(stderr, "%s\n", error.what());
        leave(model);
    }
    const std::string said = tell();
    if (!isRight)
        leave(said == right.said ? survives : ticks);
    if (said.size() >= sizeof right.said)
        leave(model);
    std::memcpy(right.said, said.c_str(), said.size() + 1);
    leave(survives);
}

} // namespace

void judgeMutants(CoreBench &bench, uint64_t instructions, const std::vector<unsigned> &mutants,
                  const std::function<std::string()> &tell) {
    void *shared = mmap(nullptr, sizeof(Right), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (shared == MAP_FAILED)
        throw RunError("--mutants: no memory for the run without a mutant.");
    auto &right = *static_cast<Right *>(shared);
    std::vector<unsigned> numbers = {0};
    numbers.insert(numbers.end(), mutants.begin(), mutants.end());
    for (const unsigned number : numbers) {
        std::fflush(stdout);
        const pid_t child = fork();
        if (child < 0)
            throw RunError("--mutants: the system gives no second process.");
        if (child == 0) {
            setenv(variable, std::to_string(number).c_str(), 1);
            number ? watchMutant(bench, right) : watchRight(bench, right);
            run(bench, instructions, number == 0, right, tell);
        }
        int status = 0;
        waitpid(child, &status, 0);
        const unsigned code = WIFEXITED(status) ? WEXITSTATUS(status) : model;
        if (number == 0 && code != survives)
            throw RunError("--mutants: the run without a mutant fails, for the reason above.");
        if (number)
            std::printf("mutant %u %s\n", number, names[code <= hangs ? code : model]);
    }
    munmap(shared, sizeof(Right));
}

} // namespace mcpi
