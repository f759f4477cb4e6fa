import { setImmediate } from 'node:timers/promises';

/** For so long at most everybody else waits. */
const SLICE_MS = 10;

/** What is made of each item, with pauses in which other requests are answered. */
export async function mapInSlices<Item, Made>(
  items: readonly Item[],
  make: (item: Item) => Made,
): Promise<Made[]> {
  const made: Made[] = [];
  let startedAt = performance.now();
  for (const item of items) {
    if (performance.now() - startedAt > SLICE_MS) {
      await setImmediate();
      startedAt = performance.now();
    }
    made.push(make(item));
  }
  return made;
}
