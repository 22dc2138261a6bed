// SPDX-License-Identifier: BSD-2-Clause
// The D-cache's two outputs about a load in E1 agree. dcache.sv asserts it; proofs that cut the
// D-cache assume it.
  `observe(core.loadStore_1, cacheHit = cache_hit, cacheMisses = cache_misses,
    cacheLoad = cache_load)
  wire cacheRules = cacheMisses == (cacheLoad && !cacheHit);
