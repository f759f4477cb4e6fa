import type { Writer } from '../store/engine/engine.ts';
import { type Cli, withWriter } from './cli.ts';

class RollBack extends Error {}

/** Runs `work` in a transaction that is rolled back, in memory if there is no database yet. */
export async function dryRun<T>(
  cli: Cli,
  work: (trx: Writer) => Promise<T>,
  { create = false } = {},
): Promise<T> {
  let result: T | undefined;
  const workAndRollBack = async (trx: Writer) => {
    result = await work(trx);
    throw new RollBack();
  };
  await withWriter(cli, workAndRollBack, { create, isDryRun: true }).catch((error: unknown) => {
    if (!(error instanceof RollBack)) throw error;
  });
  return result as T;
}
