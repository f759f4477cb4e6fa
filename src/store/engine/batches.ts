/** Low enough for the limit that each engine sets on the parameters of a statement. */
const BATCH_SIZE = 500;

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
