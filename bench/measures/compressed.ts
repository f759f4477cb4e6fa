import { setTimeout as wait } from 'node:timers/promises';
import type { RequestSpec } from '../rounds/subjects.ts';
import { requestOnce } from '../servers/responses.ts';
import type { Server } from '../servers/servers.ts';

const ENCODINGS = ['gzip', 'br', 'zstd'];
/** A response may be sent uncompressed until its compression is finished. */
const TRIES_MAX = 20;
const TRY_EVERY_MS = 50;

/** The same response in each encoding, compared with no encoding. */
export async function compressedReads(server: Server, path: string, group: string): Promise<RequestSpec[]> {
  for (const encoding of ENCODINGS) await requireCompressed(server.address + path, encoding);
  return ENCODINGS.map((encoding) => ({
    id: encoding,
    group,
    name: `compressed with ${encoding}, 200`,
    comparedWith: 'hot',
    server,
    target: { path },
    example: path,
    headers: { 'accept-encoding': encoding },
    status: 200,
  }));
}

async function requireCompressed(url: string, encoding: string): Promise<void> {
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const response = await requestOnce(url, { 'accept-encoding': encoding });
    if (response.header('content-encoding') === encoding) return;
    await wait(TRY_EVERY_MS);
  }
  throw new Error(`${url} is not compressed with ${encoding}`);
}
