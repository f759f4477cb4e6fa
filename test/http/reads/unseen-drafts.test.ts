// Two databases that differ only in hidden content, compared byte by byte through every public request.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LISTS } from '../../../support/content/pages.ts';
import { HIDDEN } from '../../../support/content/world.ts';
import { execute } from '../../../support/databases/engine.ts';
import { type Scope, temporaryFolder } from '../../../support/processes/scope.ts';
import { startApp } from '../../../support/program/app.ts';
import { apply, createKey, runOk, type Sandbox } from '../../../support/program/command.ts';
import type { ProductDocument, VersionDocument } from '../../cli/helpers.ts';
import { assertEven, digitsOf } from '../../support/random.ts';

const NOW = '2026-07-01T00:00:00.000Z';
const MAY = '2026-05-04T00:00:00.000Z';
const JUNE = '2026-06-04T00:00:00.000Z';
const FEED = '/api/v1/public/teams/acme/products';

type Differences = Readonly<{
  /** Whether it has hidden content. */
  hidden: boolean;
  /** Whether the ids of public content are given. */
  ids: boolean;
}>;

const change = (text: string) => ({ type: 'added', text });
const manyChanges = Array.from({ length: 12 }, (_, index) => change(`${HIDDEN} ${index}`));

/** Drafts of every kind: without a date, with another's date, with many changes. */
const drafts = (name: string): VersionDocument[] => [
  { version: `${name}-draft`, title: HIDDEN, changes: manyChanges },
  { version: `${name}-dated`, title: HIDDEN, publishedAt: MAY, changes: [change(HIDDEN)] },
  { version: `${name}-later`, title: HIDDEN, publishedAt: JUNE },
  { version: `${name}-now`, title: HIDDEN, publishedAt: NOW },
];

/** Published versions with few dates or none, and with drafts in between if there is hidden content. */
function versionsOf(major: number, count: number, { hidden, ids }: Differences): VersionDocument[] {
  return Array.from({ length: count }, (_, index) => count - index).flatMap((minor): VersionDocument[] => {
    const version = `${major}.${minor}.0`;
    const idOf = (kind: string) => (ids ? { id: `${kind}_${version.replaceAll('.', '-')}` } : {});
    const publishedAt = [MAY, JUNE, null][minor % 3] ?? null;
    const changes = [{ ...idOf('chg'), ...change(`The change of ${version}.`) }];
    const seen = {
      ...idOf('ver'),
      version,
      title: `Title ${version}`,
      status: 'published',
      publishedAt,
      changes,
    };
    return hidden ? [...drafts(version).slice(minor % 4), seen] : [seen];
  });
}

const acme = (products: ProductDocument[]) => ({
  team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
  products,
});
const product = (slug: string, versions: VersionDocument[], { ids }: Differences): ProductDocument => ({
  slug,
  name: slug,
  status: 'published',
  changelog: { ...(ids && { id: `cl_${slug}` }), name: slug, status: 'published', versions },
});
const vault = {
  team: { slug: 'vault', name: HIDDEN, visibility: 'private', plan: 'paid' },
  products: [product('rocket', versionsOf(1, 4, { hidden: true, ids: false }), { hidden: true, ids: false })],
};
const secret: ProductDocument = {
  ...product('secret', versionsOf(1, 4, { hidden: true, ids: false }), { hidden: true, ids: false }),
  status: 'draft',
};

const UNRELEASED = `## [Unreleased]\n\n### Added\n\n- ${HIDDEN}\n- ${HIDDEN}\n\n`;
const release = (version: string) =>
  `## [${version}] - 2026-05-04\n\n### Added\n\n- The change of ${version}.\n\n`;

async function fill(sandbox: Sandbox, differences: Differences): Promise<void> {
  const { hidden, ids } = differences;
  if (hidden) {
    await apply(sandbox, vault);
    await createKey(sandbox, 'vault', '--kind', 'FULL');
  }
  const rocket = (major: number, count: number) => {
    const wanted = product('rocket', versionsOf(major, count, differences), differences);
    return acme(hidden ? [secret, wanted] : [wanted]);
  };
  // With drafts, more than one batch; then a later document with the same dates.
  await apply(sandbox, rocket(1, 36));
  await apply(sandbox, rocket(2, 9));
  await apply(sandbox, acme([product('sled', [], differences)]));
  if (ids) return;
  const unreleased = hidden ? UNRELEASED : '';
  for (const releases of [
    ['1.1.0', '1.0.0'],
    ['1.3.0', '1.2.0', '1.1.0', '1.0.0'],
  ])
    await runOk(
      sandbox,
      ['import', 'acme/sled', '-'],
      `# Changelog\n\n${unreleased}${releases.map(release).join('')}`,
    );
}

/** Every public request as path, status, headers and body; pages are followed to the last. */
async function readAll(scope: Scope, sandbox: Sandbox): Promise<string[]> {
  const { app } = await startApp(scope, sandbox, { LISTING: 'all', BASE_URL: 'https://changes.example.com' });
  const found: string[] = [];
  const read = async (path: string): Promise<string | undefined> => {
    const { statusCode, headers, body } = await app.inject(path);
    const kept = Object.entries(headers).filter(([name]) => !/^(date|ratelimit|x-request-id)$/.test(name));
    const lines = kept.map(([name, value]) => `${name}: ${value}`);
    found.push([`GET ${path}`, statusCode, ...lines, '', body].join('\n'));
    assert.ok(!body.includes(HIDDEN), path);
    const [, link] = /<([^>]+)>; rel="next"/.exec(String(headers.link)) ?? [];
    const [, older] = /<a rel="next" href="([^"]+)"/.exec(body) ?? [];
    if (older !== undefined)
      return path.replace(/\?.*/, '') + older.replaceAll('&amp;', '&').replace(/^[^?]*/, '');
    return link;
  };
  for (const slug of ['rocket', 'sled']) {
    const feed = `${FEED}/${slug}/changelog`;
    for (const start of [
      '?limit=7',
      '?limit=20&include=changes',
      '?limit=15&q=change',
      '?limit=9&type=added',
    ])
      for (let path: string | undefined = feed + start; path !== undefined; ) path = await read(path);
    for (const rest of [
      ...[
        '',
        '?include=changes',
        '?since=2026-05-05',
        '?until=2026-06-04',
        '?from=1.2.0&to=2.3.0',
        '?q=title',
      ],
      ...['/changes', '/changes?from=1.1.0', '/changes?from=1.2.0&to=2.3.0'],
      ...['/update', '/update?from=1.1.0', '/update?from=1.2.0-draft', '/update?from=1.2.0&prerelease=true'],
      ...['/feed.atom', '/feed.rss', '/feed.json', '/CHANGELOG.md', '/versions/latest', '/versions/9.9.9'],
      ...['/releases.xml', '/latest.txt', '/badge.json', '/badge.svg'],
    ])
      await read(feed + rest);
    const { data } = JSON.parse((await app.inject(feed)).body);
    for (const { id, version } of data.versions) {
      await read(`${feed}/versions/${id}`);
      await read(`${feed}/versions/${version}`);
    }
  }
  for (const slug of ['rocket', 'sled']) {
    const page = `/changelog/acme/${slug}`;
    for (const start of ['', '?limit=7', '?q=change', '?type=added&limit=9'])
      for (let path: string | undefined = page + start; path !== undefined; ) path = await read(path);
    for (const rest of [
      ...['?since=2026-05-05', '?until=2026-06-04', '?from=1.2.0&to=2.3.0', '?q=title', '?q=nowhere'],
      ...['/changes', '/changes?from=1.1.0', '/changes?from=1.2.0&to=2.3.0', '/changes.md?from=1.1.0'],
      ...['/versions/latest', '/versions/1.1.0', '/versions/v1.2.0', '/versions/9.9.9'],
    ])
      await read(page + rest);
  }
  for (const path of ['/', '/changelog/acme', ...LISTS, '/changelog/vault', '/changelog/acme/secret'])
    await read(path);
  for (const path of [`${FEED}/secret/changelog`, '/api/v1/public/teams/vault/products/rocket/changelog'])
    await read(path);
  return found;
}

/** Replaces random parts with ordinals: ids, also in cursors, and the ETags that depend on them. */
function withOrdinals(responses: readonly string[]): string[] {
  const ordinals = new Map<string, string>();
  const ordinalOf = (kind: string, text: string) => {
    if (!ordinals.has(text)) ordinals.set(text, `${kind}#${ordinals.size}`);
    return ordinals.get(text) as string;
  };
  const numberIds = (text: string) =>
    text.replace(/\b(cl|ver|chg)_[0-9a-f]{32}\b/g, (id, kind) => ordinalOf(kind, id));
  const openCursor = (cursor: string) => Buffer.from(cursor, 'base64url').toString('latin1', SIGNATURE_BYTES);
  return responses.map((response) =>
    numberIds(response.replace(/\bcursor=([\w-]+)/g, (_, cursor) => `cursor(${openCursor(cursor)})`)).replace(
      /^etag: (.*)$/m,
      (_, etag) => `etag: ${ordinalOf('etag', etag)}`,
    ),
  );
}
const SIGNATURE_BYTES = 12;

async function readTwice(scope: Scope, ids: boolean): Promise<[open: string[], hiding: string[]]> {
  const read = async (hidden: boolean) => {
    const sandbox = { folder: temporaryFolder(scope), now: NOW };
    await fill(sandbox, { hidden, ids });
    // Each database has its own key for cursors.
    await execute(sandbox, `update revision set cursor_key = '${'0'.repeat(32)}'`);
    return await readAll(scope, sandbox);
  };
  return [await read(false), await read(true)];
}

describe('drafts, private teams and hidden products (R9)', () => {
  it('hidden content changes no public byte if ids are given', async (t) => {
    const [open, hiding] = await readTwice(t, true);
    assert.ok(open.length > 100);
    for (const path of ['/changelog/acme/rocket?limit=7&cursor=', ...LISTS])
      assert.ok(
        open.some((response) => response.startsWith(`GET ${path}`) && response.includes('\n200\n')),
        path,
      );
    assert.deepEqual(hiding, open);
  });

  it('hidden content changes only random ids in public bytes, and never their order', async (t) => {
    const [open, hiding] = await readTwice(t, false);
    assert.ok(open.length > 100);
    assert.deepEqual(withOrdinals(hiding), withOrdinals(open));
    for (const responses of [open, hiding]) {
      const text = responses.join('\n');
      const ids = [...new Set(text.match(/\b(?:cl|ver|chg)_[0-9a-f]{32}\b/g))];
      const starts = ids.map((id) => digitsOf(id).slice(0, 16));
      assert.equal(new Set(starts).size, starts.length);
      assertEven(ids.filter((id) => id.startsWith('chg_')).map(digitsOf));
      // Those of the first document: for each date, a sample spread over all ids.
      const first = /"id":"(ver_[0-9a-f]{32})","object":"changelog\.version","version":"1\.\d+\.0"/g;
      const feed = responses.find((response) => response.startsWith(`GET ${FEED}/rocket/changelog\n`)) ?? '';
      const versions = [...feed.matchAll(first)].map(([, id]) => digitsOf(id as string));
      assert.equal(versions.length, 36);
      assertEven(versions);
    }
  });
});
