# SPDX-License-Identifier: BSD-2-Clause
"""The same as hello.c: ``python3 hello.py /where/lib/liblance.so``."""

import sys
from ctypes import CDLL, c_char_p, c_uint32, c_uint64, c_void_p, create_string_buffer

SSR, RDP, RESET_ENDS = 0x1F0080200, 0x1F0180000, 0x100
library, memory = CDLL(sys.argv[1]), create_string_buffer(0x40000)
library.lance_new.restype, library.lance_new.argtypes = c_void_p, [c_char_p, c_void_p, c_uint64]
library.lance_now.restype, library.lance_now.argtypes = c_uint64, [c_void_p]
access = library.lance_access
access.restype = c_uint64
access.argtypes = [c_void_p, c_uint64, c_uint32, c_uint64, c_uint32, c_void_p]
# lance_config: eleven times, then threshold, poll phase, nibble, DMA, SQE, duplex; the station.
config = bytes((c_uint32 * 20)(*[0] * 11, 48, 0, 70, 10))
chip = library.lance_new(config, memory, len(memory))
access(chip, SSR, 1, RESET_ENDS, 0, None)
print(f"CSR0 {access(chip, RDP, 0, 0, 0, None):04x} at tick {library.lance_now(chip)}")
