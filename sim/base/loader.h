// SPDX-License-Identifier: BSD-2-Clause
// Contents of RAM before a node runs: PALcode, image, boot-parameter block.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "machine.h"
#include "markers.h"

namespace mcpi {

/// A run of bytes at a physical address. RAM begins as zeros, so the zeros behind have no bytes.
struct Segment {
    uint64_t address;
    std::vector<uint8_t> bytes;
    uint64_t zeros;

    uint64_t size() const { return bytes.size() + zeros; }
};

struct Image {
    std::string path;
    uint64_t entry; ///< virtual
    std::vector<Segment> segments;
    std::vector<Marker> markers;
};

/// Read a statically linked Alpha executable. UserError names the file and what is wrong with it.
Image readElf(const std::string &path);

/// Marker list from a file of lines `address,action,window`; a first line of names is skipped.
std::vector<Marker> readMarkers(const std::string &path);

/// The boot-parameter block of docs/reference/contracts.md 7 as bytes; fields not named are zero.
Segment bootBlock(const Machine &machine, const std::map<std::string, uint64_t> &fields);

/// UserError unless every segment lies in the RAM of the machine.
void checkPlacement(const Machine &machine, const Image &image);

} // namespace mcpi
