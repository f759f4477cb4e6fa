// Limits the memory for young objects.
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * Node.js lets it grow to 128 MB where the machine has many, and a busy server never returns them. Requests leave next to
 * nothing behind, so collecting their garbage more often costs no time.
 */
const YOUNG_BYTES_MAX = 16 * 1024 * 1024;
/** What Node.js does unless told otherwise. */
const DOUBLE = 2;

/**
 * The flag for the maximum has no effect on a running process, but the one for growth has. It is set after collections,
 * because the space also shrinks while there is little to do, and must be able to grow again.
 */
export function limitYoungGeneration(): void {
  let growth = DOUBLE;
  const adjust = () => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    const next = young !== undefined && young.space_size >= YOUNG_BYTES_MAX ? 1 : DOUBLE;
    if (next === growth) return;
    growth = next;
    setFlagsFromString(`--semi-space-growth-factor=${growth}`);
  };
  new PerformanceObserver(adjust).observe({ type: 'gc' });
}
