// SPDX-License-Identifier: BSD-2-Clause
// The D-cache is cut; its two words about a load in E1 are one (proof dcache).
  wire cache_load = core.loadStore_1.cache_load;
  wire cache_hit = core.loadStore_1.cache_hit;
  wire cache_misses = core.loadStore_1.cache_misses;
  always @* assume (cache_misses == (cache_load && !cache_hit));
