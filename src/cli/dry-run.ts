import type { Writer } from '../store/engine/engine.ts';
import { type Cli, withWriter } from './cli.ts';

class RolledBack extends Error {}

/**
 * Does all of it in a transaction that is then rolled back, the schema's update included; where there is no database and
 * one would be made, in one that leaves no file.
 */
export async function rehearse<T>(
  cli: Cli,
  play: (trx: Writer) => Promise<T>,
  { create = false } = {},
): Promise<T> {
  let played: T | undefined;
  const playOnce = async (trx: Writer) => {
    played = await play(trx);
    throw new RolledBack();
  };
  await withWriter(cli, playOnce, { create, rehearsal: true }).catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
  return played as T;
}
