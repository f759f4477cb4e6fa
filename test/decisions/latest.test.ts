// A withdrawn version is recommended to nobody while another is there (R31): every route that names one, for every small
// changelog there can be.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { startApp, type TestApp } from '../../support/program/app.ts';
import { apply, createKey, runOk, type Sandbox } from '../../support/program/command.ts';
import {
  LATEST_WORLDS,
  newest,
  recommended,
  recommendedWithPrereleases,
  type WorldVersion,
} from './latest-worlds.ts';

const scope = sharedScope();
const sandbox: Sandbox = { folder: temporaryFolder(scope) };
let app: TestApp;
let authorization: string;

/** Higher and newer than all others. */
const DRAFT = { version: '9.0.0', title: '', changes: [{ type: 'added', text: 'This is 9.0.0.' }] };

before(async () => {
  await apply(sandbox, {
    team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
    products: LATEST_WORLDS.map(({ name, versions }) => ({
      slug: name,
      name,
      status: 'published',
      changelog: { status: 'published', versions: [DRAFT, ...versions.map(contentOf)] },
    })),
  });
  ({ key: authorization } = await createKey(sandbox, 'acme', '--kind', 'FULL'));
  ({ app } = await startApp(scope, sandbox, { LISTING: 'all' }));
});

function contentOf({ label, yanked, day }: WorldVersion) {
  return {
    version: label,
    title: '',
    status: 'published',
    publishedAt: `2026-05-0${day}`,
    yanked,
    changes: [{ type: 'added', text: `This is ${label}.` }],
  };
}

async function read(url: string, headers: Record<string, string> = {}): Promise<string> {
  const { statusCode, body } = await app.inject({ url, headers });
  assert.equal(statusCode, 200, url);
  return body;
}

const withKey = () => ({ authorization: `Bearer ${authorization}` });
const publicUrl = (product: string) => `/api/v1/public/teams/acme/products/${product}/changelog`;
const keyUrl = (product: string) => `/api/v1/teams/acme/products/${product}/changelog`;
const data = (body: string) => JSON.parse(body).data;
/** The versions that a text names as its own. */
const toldIn = (body: string) =>
  [...new Set([...body.matchAll(/This is ([\w.-]+)\./g)].map(([, label]) => label))].join();

type Form = Readonly<{ below: string; label: (body: string) => string }>;
const ON_BOTH: readonly Form[] = [
  { below: '/versions/latest', label: (body) => data(body).version },
  { below: '/update', label: (body) => data(body).latest.version },
];
/** Of the same rows as others. */
const MORE: readonly Form[] = [
  ...['md', 'txt', 'html'].map((form) => ({ below: `/versions/latest/notes.${form}`, label: toldIn })),
  { below: '/latest.txt', label: (body) => body.trimEnd() },
  { below: '/badge.json', label: (body) => JSON.parse(body).message.replace(' (yanked)', '') },
  { below: '/badge.svg', label: (body) => /<title>changelog: ([\w.-]+)/.exec(body)?.[1] ?? body },
];
const SOME_WORLDS = LATEST_WORLDS.filter((_, index) => index % 5 === 0);

describe('the version that is recommended (R31)', () => {
  const each = async (
    choose: (versions: readonly WorldVersion[]) => WorldVersion | undefined,
    ask: (product: string, wanted: WorldVersion) => Promise<unknown>,
    worlds = LATEST_WORLDS,
  ) => {
    for (const { name, versions } of worlds) {
      const wanted = choose(versions) as WorldVersion;
      const told = versions.map(({ label, yanked }) => label + (yanked ? ' (yanked)' : '')).join(', ');
      assert.equal(await ask(name, wanted), wanted.label, told);
    }
  };

  it('the worlds have withdrawn versions that would be recommended otherwise, and some that are', () => {
    const yanked = LATEST_WORLDS.filter(({ versions }) => recommended(versions)?.yanked);
    assert.ok(yanked.every(({ versions }) => versions.every((version) => version.yanked)));
    assert.deepEqual([LATEST_WORLDS.length, yanked.length], [258, 39]);
  });

  for (const { below, label } of ON_BOTH) {
    it(`is that of ${below} for everybody`, () =>
      each(recommended, async (product) => label(await read(publicUrl(product) + below))));
    it(`is that of ${below} with a key`, () =>
      each(recommended, async (product) => label(await read(keyUrl(product) + below, withKey()))));
  }

  for (const { below, label } of MORE)
    it(`is that of ${below}`, () =>
      each(recommended, async (product) => label(await read(publicUrl(product) + below)), SOME_WORLDS));

  for (const end of ['', '.md'])
    it(`is that of the page versions/latest${end}`, () =>
      each(
        recommended,
        async (product) => toldIn(await read(`/changelog/acme/${product}/versions/latest${end}`)),
        SOME_WORLDS,
      ));

  it('is that of releases/latest in the form of Gitea, which calls a withdrawn one a prerelease', () =>
    each(recommended, async (product, { kind, yanked }) => {
      const release = JSON.parse(await read(`/api/v1/repos/acme/${product}/releases/latest`));
      assert.equal(release.prerelease, yanked || kind === 'prerelease');
      return release.tag_name;
    }));

  it('is among the releases without pre-releases in the form of Gitea, unless there are only these', async () => {
    const isEarly = ({ kind, yanked }: WorldVersion) => yanked || kind === 'prerelease';
    for (const { name, versions } of LATEST_WORLDS)
      for (const wanted of [true, false]) {
        const url = `/api/v1/repos/acme/${name}/releases?pre-release=${wanted}`;
        const { headers, body } = await app.inject(url);
        const releases: { tag_name: string; prerelease: boolean }[] = JSON.parse(body);
        const expected = versions.toReversed().filter((version) => isEarly(version) === wanted);
        assert.deepEqual(
          releases.map(({ tag_name, prerelease }) => [tag_name, prerelease]),
          expected.map(({ label }) => [label, wanted]),
          url,
        );
        assert.equal(headers['x-total-count'], String(expected.length));
      }
  });

  it('is that of an update check, also with prereleases, which says whether it was withdrawn', async () => {
    const ask = (query: string) => async (product: string, wanted: WorldVersion) => {
      const { latest } = data(await read(`${publicUrl(product)}/update${query}`));
      assert.equal(latest.yanked, wanted.yanked);
      return latest.version;
    };
    await each(recommended, ask('?from=0.1.0'));
    await each(recommendedWithPrereleases, ask('?from=0.1.0&prerelease=true'));
  });

  it('is the newest in lists of products, unless it was withdrawn', async () => {
    const listed = new Map<string, string>();
    for (const [url, headers] of [
      ['/api/v1/public/teams/acme/products', {}],
      ['/api/v1/teams/acme/products', withKey()],
    ] as const)
      for (let next: string | null = `${url}?limit=100`; next !== null; ) {
        const response = await app.inject({ url: next, headers });
        for (const { slug, latest } of data(response.body).products) {
          const known = listed.get(slug) ?? latest.version;
          assert.equal(latest.version, known);
          listed.set(slug, known);
        }
        next = /<[^>]*?(\/api[^>]*)>; rel="next"/.exec(String(response.headers.link))?.[1] ?? null;
      }
    await each(newest, async (product) => listed.get(product));
  });

  it('is that of `version show` on the command line', async () => {
    const { name, versions } = LATEST_WORLDS.find(
      ({ versions: some }) => some.some(({ yanked }) => yanked) && !recommended(some)?.yanked,
    ) as (typeof LATEST_WORLDS)[number];
    const shown = await runOk(sandbox, ['version', 'show', `acme/${name}`, 'latest', '--json']);
    assert.equal(JSON.parse(shown).version, recommended(versions)?.label);
  });
});
