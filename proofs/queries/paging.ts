// Pages through a changelog while another process writes to it, and checks the versions that were never changed.
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { databaseUrl } from '../../support/databases/engine.ts';
import { type HttpClient, openClient } from '../../support/http/http-client.ts';
import { type Scope, temporaryFolder } from '../../support/processes/scope.ts';
import { apply, createKey, type Sandbox } from '../../support/program/command.ts';
import { FILTERS, type Filter, STEADY_VERSIONS } from './steady.ts';

const WRITER = path.join(import.meta.dirname, 'busy-writer.ts');
const CHANGELOG_ID = 'cl_steady';
const LIMIT_MAX = 12;

const SURFACES = ['public', 'team'] as const;
type Surface = (typeof SURFACES)[number];
type Listed = Readonly<{ id: string; publishedAt: string | null }>;

type Setup = Readonly<{ sandbox: Sandbox; client: HttpClient; key: string }>;
type Walk = Readonly<{ surface: Surface; filter: Filter; limit: number }>;

export async function setUp(scope: Scope): Promise<Setup> {
  const sandbox = { folder: temporaryFolder(scope) };
  const changelog = { id: CHANGELOG_ID, status: 'published', versions: STEADY_VERSIONS };
  await apply(sandbox, {
    team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
    products: [{ slug: 'rocket', name: 'Rocket', status: 'published', changelog }],
  });
  const { key } = await createKey(sandbox, 'acme', '--kind', 'FULL');
  const client = openClient();
  scope.after(client.close);
  return { sandbox, client, key };
}

/** Resolves after the first write of each kind; returns a function that stops the writer and returns its counts. */
export async function startWriter(
  scope: Scope,
  { sandbox }: Setup,
): Promise<() => Promise<Record<string, number>>> {
  const child: ChildProcess = fork(WRITER, [databaseUrl(sandbox), CHANGELOG_ID]);
  const exited = once(child, 'exit');
  scope.after(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const failed = exited.then(([code]) => {
    throw new Error(`the writer exited with ${code}`);
  });
  failed.catch(() => {});
  await Promise.race([once(child, 'message'), failed]);
  return async () => {
    const reported = once(child, 'message');
    child.send('stop');
    const [writes] = await Promise.race([reported, failed]);
    return writes;
  };
}

export function anyWalk(): Walk {
  return {
    surface: SURFACES[randomInt(SURFACES.length)] as Surface,
    filter: FILTERS[randomInt(FILTERS.length)] as Filter,
    limit: 1 + randomInt(LIMIT_MAX),
  };
}

/**
 * Pages to the end, asking `addressOf` for the server of each page; throws unless every permanent version appears exactly
 * once, in order.
 */
export async function walk(
  setup: Setup,
  addressOf: (page: number) => string | Promise<string>,
  walked: Walk,
): Promise<number> {
  const { surface, filter, limit } = walked;
  const start = `/api/v1/${surface === 'public' ? 'public/' : ''}teams/acme/products/rocket/changelog`;
  const headers: Record<string, string> = surface === 'team' ? { authorization: `Bearer ${setup.key}` } : {};
  const listed: Listed[] = [];
  let pages = 0;
  let next: string | undefined = `${start}?limit=${limit}&${filter.query}`;
  while (next !== undefined) {
    const response = await setup.client.get((await addressOf(pages)) + next, headers);
    assert.equal(response.status, 200, response.body);
    const { versions } = JSON.parse(response.body).data;
    assert.ok(versions.length <= limit);
    listed.push(...versions);
    pages++;
    const link = /^<http:\/\/[^/]+(.+)>; rel="next"$/.exec(String(response.headers.link ?? ''));
    next = link?.[1];
    assert.ok(next === undefined || versions.length === limit, 'a page that has a next page must be full');
  }
  checkListed(listed, walked);
  return pages;
}

function checkListed(listed: readonly Listed[], { surface, filter, limit }: Walk): void {
  const label = `${surface}, limit ${limit}, ${filter.query}`;
  const steady = STEADY_VERSIONS.filter(({ status }) => surface === 'team' || status === 'published').filter(
    filter.passes,
  );
  const ids = steady.map(({ id }) => id);
  assert.deepEqual(
    listed.map(({ id }) => id).filter((id) => ids.includes(id)),
    ids,
    label,
  );
  // Temporary versions must be in order too.
  const dated = listed.slice(listed.findLastIndex(({ publishedAt }) => publishedAt === null) + 1);
  for (const [index, { id, publishedAt }] of dated.entries()) {
    const before = dated[index - 1];
    if (before === undefined) continue;
    const isAfter =
      String(before.publishedAt) > String(publishedAt) ||
      (before.publishedAt === publishedAt && before.id < id);
    assert.ok(isAfter, `${label}: ${id} after ${before.id}`);
  }
}
