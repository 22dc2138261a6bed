// SPDX-License-Identifier: BSD-2-Clause
// What the D-cache says of a load in E1, twice, as one: asserted of it (dcache.sv), assumed where
// it is cut.
  wire cacheHit = core.loadStore_1.cache_hit;
  wire cacheMisses = core.loadStore_1.cache_misses;
  wire cacheLoad = core.loadStore_1.cache_load;
  wire cacheRules = cacheMisses == (cacheLoad && !cacheHit);
