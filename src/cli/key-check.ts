// Does a key work? It comes by standard input or is asked for: an argument would be in the list of processes.
import { hashApiKey, isApiKey } from '../domain/access/api-key.ts';
import { Refusal } from '../errors.ts';
import { findKeyByHash } from '../store/write/keys.ts';
import { type Cli, withReader } from './cli.ts';

/** Whatever is longer is no key. */
const INPUT_BYTES_MAX = 4_096;

/** The id and state of the key that is given; what is none of this database's is refused. */
export async function findPastedKey(cli: Cli): Promise<{ id: string; isActive: boolean }> {
  const given = (await readGiven(cli)).trim();
  if (given === '') throw new Refusal('no key was given: write it to standard input, such as with `< FILE`.');
  if (!isApiKey(given))
    throw new Refusal(
      'this is no API key, or not all of one: check that it was copied from clk_ to its end.',
    );
  const found = await withReader(cli, (db) => findKeyByHash(db, hashApiKey(given)));
  if (found === undefined)
    throw new Refusal('this key does not work: it was deleted, or belongs to another database.');
  return { id: found.id, isActive: found.status === 'active' };
}

async function readGiven(cli: Cli): Promise<string> {
  if (cli.ask !== undefined) return await cli.ask('API key (not shown): ', { hidden: true });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of cli.standardInput()) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > INPUT_BYTES_MAX) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
