// Reads a key from standard input or asks for it: other users could see an argument in the list of processes.
import { hashApiKey, isApiKey } from '../domain/access/api-key.ts';
import { Refusal } from '../errors.ts';
import { findIdByHash } from '../store/write/keys.ts';
import { type Cli, withReader } from './cli.ts';

const INPUT_BYTES_MAX = 4_096;

/** The id of the key. Throws if the input is not a key of this database. */
export async function findPastedKey(cli: Cli): Promise<string> {
  const key = (await readKey(cli)).trim();
  if (key === '') throw new Refusal('no key was given; pass it on standard input, such as `< FILE`');
  if (!isApiKey(key)) throw new Refusal('not an API key, or only part of one; copy it from clk_ to the end');
  const found = await withReader(cli, (db) => findIdByHash(db, hashApiKey(key)));
  if (found === undefined)
    throw new Refusal('this key does not work: it was deleted or belongs to another database');
  return found;
}

async function readKey(cli: Cli): Promise<string> {
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
