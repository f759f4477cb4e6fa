// The update check (R55), compared with a plain model for every combination of content and request.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { PUBLIC_FEED } from '../../../support/content/world.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { startApp, type TestApp } from '../../../support/program/app.ts';
import { apply, createKey } from '../../../support/program/command.ts';
import { documentOf } from '../../cli/helpers.ts';

const BASE_URL = 'https://changes.example.com/sub';

type Sample = Readonly<{
  version: string;
  /** None: a draft that was never published. */
  day?: number;
  isDraft?: true;
  yanked?: true;
  /** The types of its changes; a breaking one ends with `!`. */
  changes?: readonly string[];
}>;

/** In the order of the changelog. */
const PRODUCTS: Readonly<Record<string, readonly Sample[]>> = {
  numbered: [
    { version: '4.0.0', changes: ['security!'] },
    { version: '2.0.5', changes: ['security!', 'added'] },
    { version: '1.0.1', day: 20, changes: ['security'] },
    { version: '2.2.0', day: 12, isDraft: true, changes: ['removed!'] },
    { version: '3.0.0-rc.1', day: 10, changes: ['added', 'removed!'] },
    { version: '2.1.0', day: 9, changes: ['fixed', 'changed'] },
    { version: 'spring', day: 8, yanked: true },
    { version: '2.1.0-rc.1', day: 7, changes: ['security'] },
    { version: 'v2.0.0', day: 6, changes: ['removed!'], yanked: true },
    { version: '1.4.0+build.7', day: 5 },
    { version: '1.0.0', day: 1, yanked: true, changes: [] },
  ],
  named: [
    { version: 'winter', changes: ['security!'] },
    { version: 'autumn & co', day: 9, changes: ['security'] },
    { version: 'a/b', day: 8, isDraft: true, changes: ['other!'] },
    { version: '1.0.0', day: 7, changes: ['changed!'] },
    { version: '2026-05-06', day: 6, yanked: true },
    { version: 'été', day: 5, changes: [] },
  ],
  words: [
    { version: 'winter', day: 9, changes: ['removed!'] },
    { version: 'spring', day: 8 },
  ],
  twice: [
    { version: 'v1.0.0', day: 9, changes: ['fixed'] },
    { version: '1.0.0', day: 8, yanked: true },
    { version: 'v0.9', day: 7 },
    { version: '0.9', day: 6, isDraft: true, yanked: true },
  ],
  early: [
    { version: '1.0.0', changes: ['security'] },
    { version: '1.0.0-rc.2', day: 3, changes: ['fixed!'] },
    { version: '1.0.0-rc.10', day: 2 },
    { version: '1.0.0-rc.1', day: 1, yanked: true },
  ],
  withdrawn: [
    { version: '3.0.0', day: 9, yanked: true, changes: ['security'] },
    { version: '3.0.0-rc.1', day: 8, yanked: true },
    { version: '2.1.0-rc.1', day: 7 },
    { version: '2.0.0', day: 6, changes: ['fixed!'] },
    { version: 'spring', day: 5 },
    { version: '1.0.0', day: 4 },
  ],
  fallback: [
    { version: '3.0.0', day: 9, yanked: true },
    { version: 'winter', day: 8, yanked: true },
    { version: 'autumn', day: 7, changes: ['removed!'] },
    { version: 'summer', day: 6, changes: ['security'] },
    { version: '2.0.0-rc.1', day: 5, yanked: true },
    { version: 'spring', day: 4 },
  ],
  gone: [
    { version: '1.0.0', day: 9, yanked: true },
    { version: '1.1.0', day: 8, yanked: true },
  ],
  drafts: [{ version: '1.0.0' }, { version: 'summer', day: 2, isDraft: true, yanked: true }],
  empty: [],
};

const LABELS = [
  ...new Set(Object.values(PRODUCTS).flatMap((versions) => versions.map(({ version }) => version))),
];
const FROM = [
  null,
  ...LABELS.flatMap((label) => [label, label.startsWith('v') ? label.slice(1) : `v${label}`]),
  ...['0.1', '1', '2.1.0+5', 'v2.1.0-alpha', '2.1.0-rc.1.1', '3.0.0', '9999999999999999999.0', 'V1.0.0'],
  ...['latest', 'Spring', 'x', '1.0.0.0', '🚀'.repeat(128), '9'.repeat(128)],
];
const SURFACES = ['public', 'team'] as const;

const isPublished = ({ day, isDraft }: Sample) => day !== undefined && !isDraft;
const changesOf = ({ changes = ['added'] }: Sample) => changes;

const scope = sharedScope();
const sandbox = { folder: temporaryFolder(scope) };
let app: TestApp;
let holder: Record<string, string>;
before(async () => {
  await apply(sandbox, {
    team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
    products: Object.entries(PRODUCTS).map(([slug, versions]) => ({
      slug,
      name: slug,
      status: 'published',
      changelog: { status: 'published', versions: versions.map((sample) => versionOf(slug, sample)) },
    })),
  });
  const { key } = await createKey(sandbox, 'acme', '--kind', 'FULL');
  holder = { authorization: `Bearer ${key}` };
  ({ app } = await startApp(scope, sandbox, { BASE_URL }));
});

function summaryOf(slug: string, sample: Sample) {
  const { version, day } = sample;
  return {
    id: `ver_${slug}_${(PRODUCTS[slug] as readonly Sample[]).indexOf(sample)}`,
    version,
    title: `About ${version}`,
    status: isPublished(sample) ? 'published' : 'draft',
    publishedAt: day === undefined ? null : `2026-05-${String(day).padStart(2, '0')}T00:00:00.000Z`,
  };
}

function versionOf(slug: string, sample: Sample) {
  const changes = changesOf(sample).map((change) => ({
    type: change.replace('!', ''),
    text: change,
    breaking: change.endsWith('!'),
  }));
  return { ...summaryOf(slug, sample), yanked: sample.yanked ?? false, changes };
}

describe('an update check', () => {
  for (const slug of Object.keys(PRODUCTS))
    it(`an update check has what the model says, whatever is asked of the product ${slug}`, async () => {
      for (const surface of SURFACES)
        for (const from of FROM)
          for (const prerelease of [undefined, 'false', 'true']) {
            const query = new URLSearchParams({
              ...(from !== null && { from }),
              ...(prerelease && { prerelease }),
            });
            const asked = `${surface} ${slug} ${query}`;
            const { statusCode, body } = await check(slug, `?${query}`, surface);
            const expected = model(slug, from, { surface, withPrereleases: prerelease === 'true' });
            assert.equal(statusCode, expected === null ? 400 : 200, `${asked}: ${body}`);
            if (expected === null)
              assert.match(body, /The query parameter from must be the label of /, asked);
            else assert.equal(body, JSON.stringify({ data: expected }), asked);
          }
    });

  it('the URL of an update check opens a page, which shows exactly what was counted', async () => {
    for (const slug of ['numbered', 'named', 'early', 'withdrawn', 'empty'])
      for (const from of FROM.filter((each) => each === null || numbersOf(each)))
        for (const prerelease of ['false', 'true']) {
          const query = new URLSearchParams({ ...(from !== null && { from }), prerelease });
          const { url, changeCount } = (await check(slug, `?${query}`)).json().data;
          const page = url.replace(BASE_URL, '');
          assert.equal((await app.inject(page)).statusCode, 200, url);
          if (!page.includes('/changes?')) continue;
          const range = page.replace('/changelog/acme', `/api/v1/public/teams/acme/products`);
          const { data } = (await app.inject(range.replace('/changes', '/changelog/changes'))).json();
          assert.equal(data.changeCount, changeCount, url);
        }
  });

  it('the URL of an update check is the page of the latest version where a comparison would be too long', async (t) => {
    const sandbox = { folder: temporaryFolder(t) };
    const versions = Array.from({ length: 502 }, (_, index) => ({
      version: `${501 - index}.0.0`,
      title: '',
      status: 'published',
      publishedAt: '2026-05-04',
    }));
    await apply(sandbox, documentOf([], { changelog: { name: 'Rocket', status: 'published', versions } }));
    const { app: other } = await startApp(t, sandbox, { BASE_URL });
    const urlOf = async (from: string) => {
      const { data } = (await other.inject(`${PUBLIC_FEED}/update?from=${from}`)).json();
      return `${data.versionCount} ${data.url.replace(`${BASE_URL}/changelog/acme/rocket`, '')}`;
    };
    assert.equal(await urlOf('1.0.0'), '500 /changes?from=1.0.0&to=501.0.0&prerelease=false');
    assert.equal(await urlOf('0.0.0'), '501 /versions/501.0.0');
  });

  it('an update check is 400 for a value that is no label, and for a name that is nearly that of a parameter', async () => {
    const reasons = {
      'must be the label of': [
        'from=',
        'from=+1.0.0',
        'from=1.0.0%00',
        'from=a%0Ab',
        `from=${'9'.repeat(129)}`,
      ],
      'must be given only once': ['from=1.0.0&from=1.0.0'],
      'prerelease must be true or false': ['prerelease=', 'prerelease=maybe'],
      'Did you mean from?': ['form=1.0.0', 'From=1.0.0'],
      'Did you mean prerelease?': ['from=1.0.0&prereleases=true'],
    };
    for (const surface of SURFACES)
      for (const [reason, queries] of Object.entries(reasons))
        for (const query of queries) {
          const { statusCode, body } = await check('numbered', `?${query}`, surface);
          assert.equal(statusCode, 400, query);
          assert.ok(body.includes(reason), `${query}: ${body}`);
        }
  });

  it('equivalent update checks share one ETag, and parameters of other routes are ignored', async () => {
    const etagOf = async (query: string) => (await check('numbered', query)).headers.etag;
    const etag = await etagOf('?from=1.0.0');
    assert.match(String(etag), /^"/);
    for (const more of ['&prerelease=false', '&prerelease=0', '&to=x&limit=0&q=&cursor=x&type=x'])
      assert.equal(await etagOf(`?from=1.0.0${more}`), etag);
    assert.equal(await etagOf('?prerelease=true&from=1.0.0'), await etagOf('?from=1.0.0&prerelease=1'));
  });

  it('an update check is made in one query, with the versions in memory, and then cached, with HEAD and 304', async (t) => {
    const { app: fresh, queries } = await startApp(t, sandbox);
    const update = '/api/v1/public/teams/acme/products/numbered/changelog/update';
    await fresh.inject(`${update}?from=2.0.0`);
    const url = `${update}?from=1.0.0`;
    queries.length = 0;
    const { headers, body } = await fresh.inject(url);
    assert.equal(queries.length, 1);
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(headers['cache-control'], 'public, max-age=30');
    const etag = String(headers.etag);
    assert.equal((await fresh.inject({ url, headers: { 'if-none-match': etag } })).statusCode, 304);
    const head = await fresh.inject({ url, method: 'HEAD' });
    assert.equal(head.headers['content-length'], String(Buffer.byteLength(body)));
    assert.equal(head.body, '');
    assert.equal(queries.length, 1);
  });
});

const check = (slug: string, query: string, surface: (typeof SURFACES)[number] = 'public') =>
  app.inject({
    url: `/api/v1/${surface === 'public' ? 'public/' : ''}teams/acme/products/${slug}/changelog/update${query}`,
    headers: surface === 'public' ? {} : holder,
  });

type Asked = Readonly<{ surface: (typeof SURFACES)[number]; withPrereleases: boolean }>;

/** The record, or null for a 400. */
function model(slug: string, from: string | null, { surface, withPrereleases }: Asked) {
  const visible = (PRODUCTS[slug] as readonly Sample[]).filter(
    (each) => surface === 'team' || isPublished(each),
  );
  const latest = latestOf(visible.filter(isPublished), withPrereleases);
  const known = from === null ? undefined : (named(visible, from) ?? named(visible, otherName(from)));
  if (from !== null && known === undefined && numbersOf(from) === null) return null;
  const [first, last] = [numbersOf(from ?? ''), numbersOf(latest?.version ?? '')];
  const after = (() => {
    if (from === null || latest === undefined) return [];
    if (first && last)
      return visible.filter(({ version }) => {
        const numbers = numbersOf(version);
        return numbers && compare(first, numbers) < 0 && compare(numbers, last) <= 0;
      });
    return known ? visible.slice(visible.indexOf(latest), visible.indexOf(known)) : [];
  })();
  const isStable = !withPrereleases && latest !== undefined && !isEarly(latest);
  const counted = after.filter((each) => withPrereleases || isEarly(latest as Sample) || !isEarly(each));
  const changes = counted.flatMap(changesOf);
  const page = `${BASE_URL}/changelog/acme/${slug}`;
  const bounds = { from: from ?? '', to: latest?.version ?? '', ...(isStable && { prerelease: 'false' }) };
  const isComparison = counted.length > 0 && first !== null && last !== null;
  const { id = '', ...summary } = latest ? summaryOf(slug, latest) : {};
  const segment = latest?.version.includes('/') ? id : encodeURIComponent(latest?.version ?? '');
  return {
    object: 'changelog.update',
    from: from && { version: from, known: known !== undefined, yanked: known?.yanked ?? false },
    updateAvailable: counted.length > 0,
    latest: latest
      ? {
          ...{ id, object: 'changelog.version', ...summary, changeCount: changesOf(latest).length },
          yanked: latest.yanked ?? false,
        }
      : null,
    versionCount: counted.length,
    changeCount: changes.length,
    security: changes.some((change) => change.startsWith('security')),
    breaking: changes.some((change) => change.endsWith('!')),
    url: isComparison
      ? `${page}/changes?${new URLSearchParams(bounds)}`
      : `${page}${latest ? `/versions/${segment}` : ''}`,
  };
}

const named = (versions: readonly Sample[], name: string) => versions.find(({ version }) => version === name);
const otherName = (label: string) => (/^v[0-9]/.test(label) ? label.slice(1) : `v${label}`);

function latestOf(all: readonly Sample[], withPrereleases: boolean): Sample | undefined {
  const published = all.every(({ yanked }) => yanked) ? all : all.filter(({ yanked }) => !yanked);
  const numbered = published.filter((each) => numbersOf(each.version) && (withPrereleases || !isEarly(each)));
  const orderOf = ({ version }: Sample) => numbersOf(version) as Numbers;
  return numbered.toSorted((a, b) => compare(orderOf(b), orderOf(a)))[0] ?? published[0];
}

/** Three numbers, and what follows the dash. */
type Numbers = Readonly<{ core: readonly bigint[]; early: readonly string[] }>;

function numbersOf(label: string): Numbers | null {
  const [, core = '', early] = /^v?(\d+(?:\.\d+){0,2})(?:-([\w.]+))?(?:\+[\w.]+)?$/i.exec(label) ?? [];
  if (core === '' || (early !== undefined && !core.includes('.'))) return null;
  const numbers = [...core.split('.'), '0', '0'].slice(0, 3).map(BigInt);
  return { core: numbers, early: early?.split('.') ?? [] };
}

const isEarly = ({ version }: Sample) => (numbersOf(version)?.early.length ?? 0) > 0;

function compare(a: Numbers, b: Numbers): number {
  for (const [index, number] of a.core.entries())
    if (number !== b.core[index]) return number < (b.core[index] as bigint) ? -1 : 1;
  if (a.early.length === 0 || b.early.length === 0) return b.early.length - a.early.length;
  for (const [index, part] of a.early.entries()) {
    const other = b.early[index];
    if (other === undefined) return 1;
    if (part !== other) return isBefore(part, other) ? -1 : 1;
  }
  return a.early.length - b.early.length;
}

function isBefore(a: string, b: string): boolean {
  const [first, second] = [a, b].map((part) => /^\d+$/.test(part));
  if (first && second) return Number(a) < Number(b);
  return first === second ? a < b : first === true;
}
