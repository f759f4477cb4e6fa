// Pages, compared with JSON of the same size, and first pages of changelogs of different sizes.
import type { Scope } from '../../cluster/scope.ts';
import { feedPath, TEAM } from '../data/datasets.ts';
import type { EngineData } from '../data/engine-data.ts';
import { LONG_SLUG, longChangelog } from '../data/long.ts';
import type { Subject } from '../rounds/rounds.ts';
import { type RequestSpec, subjectsFor } from '../rounds/subjects.ts';
import { pin } from '../servers/cores.ts';
import { requestOnce } from '../servers/responses.ts';
import { type Server, startOurs } from '../servers/servers.ts';
import { UNCACHED } from './uncached.ts';

const SMALL = 1_000;
/** One after the other: concurrent requests for the same page would share its queries. */
const ONE_CONNECTION = 1;
/** Of the size of a page, if both are to count as the same. */
const SIZE_TOLERANCE = 0.03;

const pagePath = (slug: string) => `/changelog/${TEAM}/${slug}-1`;

/** A cached page, and cached JSON of the same size. The server has the content of hot reads. */
export async function cachedPages(server: Server, group: string): Promise<RequestSpec[]> {
  const page = pagePath('hot');
  const { body } = await requestOnce(server.address + page);
  const json = await jsonOfSize(server, body.length);
  const size = `${(body.length / 1024).toFixed(0)} KB`;
  return [
    {
      group,
      server,
      status: 200,
      target: { path: json },
      example: json,
      id: 'json',
      name: `JSON of ${size}`,
    },
    {
      group,
      server,
      status: 200,
      target: { path: page },
      example: page,
      id: 'page',
      name: `page of ${size}`,
      comparedWith: 'json',
      goal: { atLeast: 0.9 },
    },
  ];
}

/** A part of a long feed. */
async function jsonOfSize(server: Server, bytes: number): Promise<string> {
  const feed = feedPath('large', 1);
  const sizeOf = async (path: string) => (await requestOnce(server.address + path)).body.length;
  const [ten, hundred] = [
    await sizeOf(`${feed}?include=changes&limit=10`),
    await sizeOf(`${feed}?include=changes&limit=100`),
  ];
  const path = `${feed}?include=changes&limit=${Math.round(10 + ((bytes - ten) * 90) / (hundred - ten))}`;
  const size = await sizeOf(path);
  if (Math.abs(size / bytes - 1) > SIZE_TOLERANCE)
    throw new Error(`${path} has ${size} bytes, the page ${bytes}`);
  return path;
}

type PagesOptions = Readonly<{ versions: number; onProgress: (text: string) => void }>;

/** The first page of a changelog, made anew for each request. */
export async function prepareFirstPages(
  scope: Scope,
  engines: readonly EngineData[],
  { versions, onProgress }: PagesOptions,
): Promise<Subject[]> {
  const path = pagePath(LONG_SLUG);
  const specs: RequestSpec[] = [];
  // Before any server starts: filling a database keeps others waiting, which they log.
  for (const engine of engines) {
    onProgress(`pages: filling ${engine.name}`);
    await engine.urlFor(longChangelog(versions));
  }
  for (const engine of engines) {
    for (const size of [SMALL, versions]) {
      onProgress(`pages: ${size.toLocaleString('en')} versions on ${engine.name}`);
      const DATABASE_URL = await engine.urlFor(longChangelog(size));
      specs.push({
        id: `${engine.id}-page-${size}`,
        group: 'Pages, not cached',
        name: `first page of ${size.toLocaleString('en')} versions, ${engine.name}`,
        server: await startOurs(scope, { DATABASE_URL, ...UNCACHED }),
        target: { path },
        example: path,
        status: 200,
        alsoPids: engine.pids,
        connections: ONE_CONNECTION,
        ...(size !== SMALL && { comparedWith: `${engine.id}-page-${SMALL}`, goal: { atLeast: 0.67 } }),
      });
    }
  }
  const subjects = await subjectsFor(specs);
  for (const pid of engines.flatMap(({ pids }) => pids)) pin('server', pid);
  return subjects;
}
