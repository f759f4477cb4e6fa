// `publish-due` runs the hooks once (R65, R66).
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { execute, query } from '../../../support/databases/engine.ts';
import { apply, run } from '../../../support/program/command.ts';
import { documentOf } from '../helpers.ts';
import { labelsOf, sandboxWithHooks } from '../hooks/receiver.ts';

const NOW = new Date().toISOString();

describe('publish-due with hooks', () => {
  const { sandbox, take, respondWith } = sandboxWithHooks(`
  - { name: site, kind: webhook, url: URL/site, secret: "\${SECRET}" }
  - { name: edge, kind: purge-varnish, url: URL/edge }
`);
  before(() =>
    apply(
      sandbox,
      documentOf([
        { id: 'ver_2', version: '2.0.0', title: 'Two', publishAt: NOW },
        { id: 'ver_1', version: '1.0.0', title: 'One', status: 'published' },
      ]),
    ),
  );

  it('--dry-run sets up no hook and sends nothing', async () => {
    const { code, stdout } = await run(sandbox, ['publish-due', '--dry-run']);
    assert.deepEqual([code, stdout], [0, `Would publish acme/rocket 2.0.0, dated ${NOW}.\n`]);
    assert.deepEqual(await query(sandbox, 'select hook from hook_deliveries'), []);
    assert.deepEqual(take(), []);
  });

  it('the first run announces what it publishes and nothing that was public before, and purges everything, more than once', async () => {
    assert.deepEqual(await run(sandbox, ['publish-due']), {
      code: 0,
      stdout: `Published acme/rocket 2.0.0, dated ${NOW}.\nPurged what has changed from edge.\nAnnounced acme/rocket 2.0.0 to site.\n`,
      stderr: '',
    });
    const received = take();
    const [purges, announced] = [
      received.filter(({ path }) => path === '/edge'),
      received.filter(({ path }) => path === '/site'),
    ];
    assert.deepEqual(labelsOf(announced), ['2.0.0']);
    assert.equal(
      JSON.parse(announced[0]?.body ?? '').data.urls.page,
      'https://changes.example/changelog/acme/rocket/versions/2.0.0',
    );
    assert.ok(purges.length > 1 && purges.every(({ method }) => method === 'PURGE'));
  });

  it('a run without anything to do sends nothing', async () => {
    assert.deepEqual(await run(sandbox, ['publish-due']), {
      code: 0,
      stdout: 'Nothing is due.\n',
      stderr: '',
    });
    assert.deepEqual(take(), []);
  });

  it('exits with 1 if a hook fails, publishes all the same, and a later run tries again', async () => {
    await execute(
      sandbox,
      `insert into versions (id, changelog_id, label, title, status, published_at, yanked, created_order)
        select 'ver_3', changelog_id, '3.0.0', 'Three', 'published', '${NOW}', 0, 3 from versions where id = 'ver_1'`,
    );
    respondWith(503);
    const failed = await run(sandbox, ['publish-due', '--json']);
    assert.deepEqual([failed.code, failed.stdout], [1, '[]\n']);
    assert.deepEqual(failed.stderr.split('\n'), [
      'changelog: the hook edge could not purge what has changed: HTTP 503. A server or `changelog publish-due` tries again.',
      'the hook site could not announce acme/rocket 3.0.0: HTTP 503. A server or `changelog publish-due` tries again.',
      '',
    ]);
    const [first] = take().filter(({ path }) => path === '/site');
    respondWith(204);
    await execute(sandbox, `update hook_deliveries set due_at = '${NOW}'`);
    const done = await run(sandbox, ['publish-due']);
    assert.deepEqual([done.code, done.stderr], [0, '']);
    assert.match(done.stdout, /^Announced acme\/rocket 3\.0\.0 to site\.$/m);
    const [second] = take().filter(({ path }) => path === '/site');
    assert.equal(second?.headers['webhook-id'], first?.headers['webhook-id']);
  });

  it('a version that is given up is named with what to do', async () => {
    await execute(
      sandbox,
      `update hook_deliveries set state = 'pending', attempts = 10, failure = 'HTTP 500', due_at = '${NOW}' where about = 'ver_3'`,
    );
    respondWith(500);
    const { code, stderr } = await run(sandbox, ['publish-due']);
    respondWith(204);
    assert.equal(code, 1);
    assert.equal(
      stderr,
      'changelog: the hook site could not announce acme/rocket 3.0.0: HTTP 500. It was given up; `changelog hook announce` sends it again.\n',
    );
    assert.doesNotMatch(stderr, /127\.0\.0\.1|whsec_/);
  });
});
