import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { startApp, type TestApp } from '../../../support/program/app.ts';
import { apply, createKey } from '../../../support/program/command.ts';

const RANGE = '/teams/acme/products/rocket/changelog/changes';

const scope = sharedScope();
let app: TestApp;
let holder: Record<string, string>;
before(async () => {
  const sandbox = { folder: temporaryFolder(scope) };
  const change = (type: string, text: string, breaking = false) => ({ type, text, breaking });
  const version = (label: string, day: number, changes: object[], status = 'published', more = {}) => ({
    id: `ver_${label.replaceAll('.', '_')}`,
    version: label,
    title: label,
    status,
    publishedAt: `2026-05-0${day}`,
    changes,
    ...more,
  });
  const prose = { title: 'Words', yanked: true, description: 'Only *prose*, see <b>it</b>.' };
  const versions = [
    version('2.2.0', 7, [change('added', 'not out yet')], 'draft'),
    version('2.1.0', 6, [change('fixed', 'a'), change('added', 'b *c*'), change('fixed', 'd', true)]),
    // A backport: published after 2.0.0, with a lower version.
    version('1.4.1', 5, [change('security', 'e')]),
    version('2.0.0', 4, [change('removed', 'f', true), change('fixed', 'g', true), change('other', 'h')]),
    version('2.0.0-rc.2', 3, [], 'published', prose),
    version('2.0.0-rc.1', 3, [change('added', 'i')]),
    version('1.4.0', 2, [change('added', 'j')]),
    version('spring', 1, [change('added', 'k')]),
  ];
  await apply(sandbox, {
    team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
    products: [
      {
        slug: 'rocket',
        name: 'Rocket',
        status: 'published',
        changelog: { id: 'cl_1', status: 'published', versions },
      },
    ],
  });
  const { key } = await createKey(sandbox, 'acme', '--kind', 'FULL');
  holder = { authorization: `Bearer ${key}` };
  ({ app } = await startApp(scope, sandbox));
});

type Change = { text: string; version: string; versionId: string };
type Group = { type: string; changes: Change[] };

async function groups(query: string, surface = '/public') {
  const response = await app.inject({
    url: `/api/v1${surface}${RANGE}${query}`,
    headers: surface === '' ? holder : {},
  });
  assert.equal(response.statusCode, 200, response.body);
  const { data } = response.json();
  const found = data.groups.map(({ type, changes }: Group) => [
    type,
    changes.map(({ text, version }) => `${version} ${text}`),
  ]);
  assert.equal(data.changeCount, found.flatMap(([, changes]: [string, string[]]) => changes).length);
  return found;
}

describe('a range of versions', () => {
  it('a range is grouped by type, breaking changes first, then by newest version, each change with its version', async () => {
    assert.deepEqual(await groups('?from=1.4.0&to=2.1.0'), [
      ['added', ['2.1.0 b *c*', '2.0.0-rc.1 i']],
      ['removed', ['2.0.0 f']],
      ['fixed', ['2.1.0 d', '2.0.0 g', '2.1.0 a']],
      ['security', ['1.4.1 e']],
      ['other', ['2.0.0 h']],
    ]);
  });

  it('a range names its bounds, team, product and changelog, with each change as in its version', async () => {
    const response = await app.inject(`/api/v1/public${RANGE}?from=v2.0.0&to=2.1`);
    const { groups: found, versions: _, ...head } = response.json().data;
    assert.deepEqual(head, {
      object: 'changelog.range',
      team: { slug: 'acme', name: 'Acme' },
      product: { slug: 'rocket', name: 'Rocket' },
      changelog: { id: 'cl_1', name: 'Rocket', status: 'published' },
      from: 'v2.0.0',
      to: '2.1',
      changeCount: 3,
    });
    const url = '/api/v1/public/teams/acme/products/rocket/changelog/versions/2.1.0';
    const { changes } = (await app.inject(url)).json().data;
    const told = found.flatMap((group: Group) => group.changes);
    for (const change of changes) {
      const own = told.find(({ id }: { id: string }) => id === change.id);
      assert.deepEqual(own, { ...change, version: '2.1.0', versionId: 'ver_2_1_0' });
    }
  });

  it('a range has each of its versions with its description, newest first, also without changes', async () => {
    const versionsIn = async (query: string) =>
      (await app.inject(`/api/v1/public${RANGE}${query}`)).json().data.versions;
    const plain = { yanked: false, description: null, descriptionHtml: null };
    const at = (day: number) => `2026-05-0${day}T00:00:00.000Z`;
    const prose = {
      id: 'ver_2_0_0-rc_2',
      version: '2.0.0-rc.2',
      title: 'Words',
      publishedAt: at(3),
      yanked: true,
      description: 'Only *prose*, see <b>it</b>.',
      descriptionHtml: '<p>Only <em>prose</em>, see <b>it</b>.</p>',
    };
    assert.deepEqual(await versionsIn('?from=2.0.0-rc.1&to=2.1.0'), [
      { id: 'ver_2_1_0', version: '2.1.0', title: '2.1.0', publishedAt: at(6), ...plain },
      { id: 'ver_2_0_0', version: '2.0.0', title: '2.0.0', publishedAt: at(4), ...plain },
      prose,
    ]);
    const { changeCount, groups, versions } = (
      await app.inject(`/api/v1/public${RANGE}?from=2.0.0-rc.1&to=2.0.0-rc.2`)
    ).json().data;
    assert.deepEqual({ changeCount, groups, versions }, { changeCount: 0, groups: [], versions: [prose] });
    const labels = async (query: string) =>
      (await versionsIn(query)).map(({ version }: { version: string }) => version);
    assert.deepEqual(await labels('?type=removed&type=security'), ['1.4.1', '2.0.0']);
    assert.deepEqual(await labels('?breaking=true'), ['2.1.0', '2.0.0']);
    assert.deepEqual(await labels('?from=2.1.0'), []);
  });

  it('a range excludes its first version and includes its last, whether they exist or not', async () => {
    assert.deepEqual(await groups('?from=1.4.1&to=2.0.0-rc.1'), [['added', ['2.0.0-rc.1 i']]]);
    assert.deepEqual(await groups('?from=1.4.0&to=2'), [
      ['added', ['2.0.0-rc.1 i']],
      ['removed', ['2.0.0 f']],
      ['fixed', ['2.0.0 g']],
      ['security', ['1.4.1 e']],
      ['other', ['2.0.0 h']],
    ]);
    assert.deepEqual(await groups('?from=1.3.9&to=1.4.0'), [['added', ['1.4.0 j']]]);
    assert.deepEqual(await groups('?from=2.1.0&to=2.1.0'), []);
    assert.deepEqual(await groups('?from=2.1.0&to=1.0.0'), []);
  });

  it('a range without a bound is open on that side, and without both it has everything', async () => {
    assert.deepEqual(await groups('?from=2.0.0'), [
      ['added', ['2.1.0 b *c*']],
      ['fixed', ['2.1.0 d', '2.1.0 a']],
    ]);
    assert.deepEqual(await groups('?to=1.4.0'), [['added', ['1.4.0 j']]]);
    assert.deepEqual((await groups('')).flatMap(([, changes]: [string, string[]]) => changes).length, 10);
  });

  it('a range can be limited to types, and to versions that are not prereleases', async () => {
    assert.deepEqual(await groups('?from=1.4.0&type=added&type=security'), [
      ['added', ['2.1.0 b *c*', '2.0.0-rc.1 i']],
      ['security', ['1.4.1 e']],
    ]);
    assert.deepEqual(await groups('?from=1.4.0&type=added&prerelease=false'), [['added', ['2.1.0 b *c*']]]);
  });

  it('a range includes drafts on the authenticated surface only', async () => {
    assert.deepEqual(await groups('?from=2.1.0'), []);
    assert.deepEqual(await groups('?from=2.1.0', ''), [['added', ['2.2.0 not out yet']]]);
    const url = `/api/v1${RANGE}?from=2.1.0`;
    const { versions } = (await app.inject({ url, headers: holder })).json().data;
    assert.deepEqual(
      versions.map(({ version }: { version: string }) => version),
      ['2.2.0'],
    );
  });
});
