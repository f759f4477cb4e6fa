/** Low enough for the limit that each engine sets on the parameters of a statement. */
const BATCH_SIZE = 500;

/** Splits items, of which there may be too many for memory. */
export function* batches<T>(items: Iterable<T>, size = BATCH_SIZE): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
