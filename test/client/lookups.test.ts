// What can be asked besides the whole changelog, of the service on a real socket.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ChangelogClient } from '../../client/index.js';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { listenApp } from '../../support/program/app.ts';
import { apply } from '../../support/program/command.ts';

const LABELS = ['2.1.0-rc.1', '2.0.0', '1.4.1', '1.4.0', '1.0.0'];
const versions = LABELS.map((version, index) => ({
  id: `ver_${LABELS.length - index}`,
  version,
  title: `Title of ${version}`,
  status: 'published',
  publishedAt: `2026-0${LABELS.length - index}-01T00:00:00.000Z`,
  changes: [
    { type: 'fixed', text: `A *fault* of ${version}.` },
    ...(version === '2.0.0' ? [{ type: 'removed', text: 'The fuse.', breaking: true }] : []),
  ],
}));
/** Every one is a valid label, and most mean something else in a URL. */
const ODD_LABELS = ['..', '.', '...', 'a/b', '/', '../../rocket', '%2E%2E', '..\\', 'a?b#c', 'v%', '🚀 1'];
const odd = ODD_LABELS.map((version) => ({ version, title: `Title of ${version}`, status: 'published' }));
const DOCUMENT = {
  team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
  products: [
    { slug: 'rocket', name: 'Rocket', status: 'published', changelog: { status: 'published', versions } },
    { slug: 'odd', name: 'Odd', status: 'published', changelog: { status: 'published', versions: odd } },
  ],
};

describe('ChangelogClient look-ups', () => {
  const scope = sharedScope();
  let client: ChangelogClient;
  let oddClient: ChangelogClient;
  before(async () => {
    const sandbox = { folder: temporaryFolder(scope) };
    await apply(sandbox, DOCUMENT);
    // The server knows itself by an address that leads nowhere from here.
    const { address } = await listenApp(scope, sandbox, { BASE_URL: 'https://elsewhere.invalid' });
    client = new ChangelogClient({ baseUrl: address, team: 'acme', product: 'rocket' });
    oddClient = new ChangelogClient({ baseUrl: address, team: 'acme', product: 'odd' });
  });

  it('the client finds versions by labels that no path can contain', async () => {
    for (const label of ODD_LABELS) {
      const { version, title } = await oddClient.version(label);
      assert.deepEqual([version, title], [label, `Title of ${label}`]);
    }
  });

  it('a label that does not exist is not_found, and never another resource', async () => {
    for (const label of [
      '..',
      '.',
      '../',
      '../changes',
      '%2e%2e',
      '',
      '\ud800',
      'a\udc00/',
      'a\0',
      '\t',
      'x'.repeat(200),
    ])
      await assert.rejects(client.version(label), { code: 'not_found', status: 404 }, JSON.stringify(label));
  });

  it('the client finds the latest stable version, and versions by label', async () => {
    assert.equal((await client.latest()).id, 'ver_4');
    assert.equal((await client.version('1.4.0')).id, 'ver_2');
    assert.equal((await client.version('v2.1.0-rc.1')).id, 'ver_5');
    await assert.rejects(client.version('9.9.9'), { code: 'not_found' });
  });

  it('the client iterates over all versions, page by page', async () => {
    for (const _ of ['fetched', 'confirmed']) {
      const pages = await Array.fromAsync(client.pages({ limit: 2 }));
      assert.deepEqual(
        pages.map((page) => page.versions.map(({ version }) => version)),
        [LABELS.slice(0, 2), LABELS.slice(2, 4), LABELS.slice(4)],
      );
    }
    assert.deepEqual(labelsOf(await Array.fromAsync(client.versions())), LABELS);
  });

  it('the client supports every query parameter', async () => {
    const found = async (...query: Parameters<typeof client.feed>) =>
      labelsOf((await client.feed(...query)).versions);
    assert.deepEqual(await found({ since: new Date('2026-04-01'), prerelease: false }), ['2.0.0']);
    assert.deepEqual(await found({ until: '2026-02-01' }), ['1.4.0', '1.0.0']);
    assert.deepEqual(await found({ from: '1.4.0', to: '2.0.0' }), ['2.0.0', '1.4.1']);
    assert.deepEqual(await found({ type: ['removed', 'security'] }), ['2.0.0']);
    assert.deepEqual(await found({ q: 'fuse' }), ['2.0.0']);
    const { versions: full } = await client.feed({ include: 'changes', limit: 1 });
    assert.equal(full[0]?.changes[0]?.html, '<p>A <em>fault</em> of 2.1.0-rc.1.</p>');
    await assert.rejects(client.feed({ limit: 101 }), { code: 'bad_request', status: 400 });
  });

  it('the client returns the changes between two versions', async () => {
    const range = await client.changesBetween('1.4.0', '2.0.0');
    assert.equal(range.changeCount, 3);
    assert.deepEqual(
      range.groups.map(({ type, changes }) => [type, labelsOf(changes)]),
      [
        ['removed', ['2.0.0']],
        ['fixed', ['2.0.0', '1.4.1']],
      ],
    );
    const { groups } = await client.changesBetween('1.4.0', null, { type: 'fixed', prerelease: false });
    assert.deepEqual(
      groups.map(({ type, changes }) => [type, labelsOf(changes)]),
      [['fixed', ['2.0.0', '1.4.1']]],
    );
  });

  it('the client says whether there is an update, and what it brings', async () => {
    const { updateAvailable, from, latest, ...rest } = await client.checkForUpdate('1.4.0');
    assert.equal(updateAvailable, true);
    assert.deepEqual(from, { version: '1.4.0', known: true, yanked: false });
    assert.equal(latest?.version, '2.0.0');
    assert.equal(rest.versionCount, 2);
    assert.ok(rest.url.endsWith('/changelog/acme/rocket/changes?from=1.4.0&to=2.0.0&prerelease=false'));
    assert.equal((await client.checkForUpdate('2.0.0')).updateAvailable, false);
    assert.equal((await client.checkForUpdate('2.0.0', { prerelease: true })).latest?.version, '2.1.0-rc.1');
    assert.equal((await client.checkForUpdate()).from, null);
    await assert.rejects(client.checkForUpdate('autumn'), { code: 'bad_request', status: 400 });
  });
});

function labelsOf(things: readonly { version: string }[]): string[] {
  return things.map(({ version }) => version);
}
