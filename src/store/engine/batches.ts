/** Stays within what either engine takes as parameters of one statement. */
const BATCH_SIZE = 500;

/** Goes through items that may be too many to hold, some at a time. */
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
