import type { Writer } from '../store/engine/engine.ts';
import { type Cli, withWriter } from './cli.ts';

class RollBack extends Error {}

/**
 * Does all of it in a transaction that is then rolled back, the schema's update included; where there is no database and
 * one would be made, in one that leaves no file.
 */
export async function dryRun<T>(
  cli: Cli,
  work: (trx: Writer) => Promise<T>,
  { create = false } = {},
): Promise<T> {
  let played: T | undefined;
  const playOnce = async (trx: Writer) => {
    played = await work(trx);
    throw new RollBack();
  };
  await withWriter(cli, playOnce, { create, rehearsal: true }).catch((error: unknown) => {
    if (!(error instanceof RollBack)) throw error;
  });
  return played as T;
}
