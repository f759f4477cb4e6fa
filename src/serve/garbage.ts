// Limits the garbage that a process keeps: Node.js collects it late where the machine has much memory, and a busy process
// never returns what it took.
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Node.js would take 128 MB. Requests leave next to nothing behind, so collecting more often costs no time. */
const YOUNG_BYTES_MAX = 16 * 1024 * 1024;
/**
 * By how much the heap may grow until it is collected, in percent of what is alive. Node.js would let it become several
 * times as large, and with it the buffers that only garbage refers to, such as evicted responses.
 */
const GROWTH_PERCENT_MAX = 50;
/** What Node.js does unless told otherwise. */
const DOUBLE = 2;

export function limitGarbage(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT_MAX}`);
  new PerformanceObserver(limitYoungGeneration()).observe({ type: 'gc' });
}

/**
 * The flag for the maximum has no effect on a running process, but the one for growth has. It is set after collections,
 * because the space also shrinks while there is little to do, and must be able to grow again.
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
