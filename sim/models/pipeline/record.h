// SPDX-License-Identifier: BSD-2-Clause
// A recording: everything a node's stage D did, and its DMA, in tick order (model.md).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace mcpi::pipeline {

struct Header {
    char magic[8]; ///< "mCPIstep"
    uint32_t version, node;
};
static_assert(sizeof(Header) == 16);

/// `what`: memory::Step::What, or `dma`. Addresses are physical. `kind`: memory::Kind, of DMA 1 for
/// a write. `stored`: memory::Step::stored.
struct Record {
    uint64_t tick, pc, address;
    uint32_t instruction;
    uint8_t what, kind, arrival, stored;
};
static_assert(sizeof(Record) == 32);
constexpr uint8_t dma = 3;
constexpr char magic[] = "mCPIstep";
constexpr uint32_t version = 2;

/// Sorted by tick, DMA before a step of the same tick. UserError if it cannot be written.
void write(const std::string &path, unsigned node, std::vector<Record> records);
/// UserError if it is no recording.
std::vector<Record> read(const std::string &path);

} // namespace mcpi::pipeline
