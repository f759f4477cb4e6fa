// Limits garbage: on machines with much memory Node.js collects it late, and a busy process never gives memory back.
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Node.js would take 128 MB. Requests leave almost nothing behind, so collecting more often takes no longer. */
const YOUNG_BYTES_MAX = 16 * 1024 * 1024;
/**
 * How much the heap may grow before it is collected, in percent of live data. Node.js would let it grow severalfold,
 * along with buffers that only garbage refers to, such as evicted responses.
 */
const GROWTH_PERCENT_MAX = 25;
/** The default of Node.js. */
const DOUBLE = 2;

export function limitGarbage(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT_MAX}`);
  new PerformanceObserver(limitYoungGeneration()).observe({ type: 'gc' });
}

/**
 * The flag for the maximum has no effect on a running process, but the one for growth has. It is set after each
 * collection, because the space also shrinks when idle, and must be able to grow again.
 */
function limitYoungGeneration(): () => void {
  let growth = DOUBLE;
  return () => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    const next = young !== undefined && young.space_size >= YOUNG_BYTES_MAX ? 1 : DOUBLE;
    if (next === growth) return;
    growth = next;
    setFlagsFromString(`--semi-space-growth-factor=${growth}`);
  };
}
