import { setTimeout as wait } from 'node:timers/promises';
import { type Prepared, subjectFor } from '../rounds/subjects.ts';
import { requestOnce } from '../servers/responses.ts';
import type { Server } from '../servers/servers.ts';

const ENCODINGS = ['gzip', 'br', 'zstd'];
/** A response may be sent uncompressed until its compression is finished. */
const TRIES_MAX = 20;
const TRY_EVERY_MS = 50;

/** The same response in each encoding, compared with no encoding. */
export async function prepareCompressed(server: Server, path: string, group: string): Promise<Prepared> {
  const prepared: Prepared = { subjects: [], absent: [] };
  for (const encoding of ENCODINGS) {
    const headers = { 'accept-encoding': encoding };
    const described = { id: encoding, group, name: `compressed with ${encoding}, 200`, comparedWith: 'hot' };
    if (await isCompressed(server.address + path, encoding)) {
      const spec = { ...described, server, target: { path }, example: path, headers, status: 200 };
      prepared.subjects.push((await subjectFor(spec)).subject);
    } else {
      prepared.absent.push({ ...described, unit: 'requests/s', values: [], note: 'not compressed yet' });
    }
  }
  return prepared;
}

async function isCompressed(url: string, encoding: string): Promise<boolean> {
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const response = await requestOnce(url, { 'accept-encoding': encoding });
    if (response.header('content-encoding') === encoding) return true;
    // Without `Vary: Accept-Encoding`, it will never be compressed.
    if (!/accept-encoding/i.test(response.header('vary') ?? '')) return false;
    await wait(TRY_EVERY_MS);
  }
  return false;
}
