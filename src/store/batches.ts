/** Stays within what either engine takes as parameters of one statement. */
const ROWS_A_STATEMENT = 500;

export function* batches<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += ROWS_A_STATEMENT)
    yield items.slice(start, start + ROWS_A_STATEMENT);
}
