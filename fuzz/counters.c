/* Edge counters for the native core under a coverage-guided fuzzer that was not built with it.
 *
 * gcc's -fsanitize-coverage=trace-pc calls __sanitizer_cov_trace_pc at each basic block. libFuzzer, which atheris holds,
 * ignores that call and wants clang's inline counters; so they are kept here and registered from fuzz/guided.py.
 * Loaded with LD_PRELOAD, so that this definition is the one that the extension modules find.
 */
#include <stdint.h>

#define COUNTERS (1 << 16)

struct pc {
  uintptr_t address, flags;
};

static uint8_t counters[COUNTERS];
static struct pc table[COUNTERS];

__attribute__((visibility("default"))) void __sanitizer_cov_trace_pc(void) {
  uintptr_t block = (uintptr_t)__builtin_return_address(0);
  uint8_t *counter = &counters[(block ^ (block >> 16)) & (COUNTERS - 1)];
  if (*counter < 255)
    ++*counter;
}

__attribute__((visibility("default"))) void schemafuse_counters(uint8_t **start, uint8_t **end, struct pc **first, struct pc **last) {
  for (int i = 0; i < COUNTERS; ++i)
    table[i].address = (uintptr_t)&counters[i];
  *start = counters;
  *end = counters + COUNTERS;
  *first = table;
  *last = table + COUNTERS;
}
