// Scheduled versions that are due (R50). What each command does in every state is in test/store/write/schedule.test.ts.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../../../support/processes/poll.ts';
import { startApp } from '../../../../support/program/app.ts';
import { createKey, run, runOk } from '../../../../support/program/command.ts';
import { runJson } from '../../helpers.ts';
import { publish, sandboxOfDrafts } from '../drafts.ts';

const PATH = '/teams/acme/products/rocket/changelog';
const FUTURE = '2999-12-01T08:00:00.000Z';
const PAST = '2020-01-01T00:00:00.000Z';

describe('scheduled versions', () => {
  const { sandbox, reset } = sandboxOfDrafts();

  it('publish-due publishes what is due, and says what waits for a lock', async () => {
    await reset();
    await runOk(sandbox, publish('3.0.0', '--at', '2020-01-01T00:00Z'));
    await runOk(sandbox, publish('2.0.0', '--at', FUTURE));
    const list = () => run(sandbox, ['version', 'schedule', 'list', 'acme/rocket']);
    const unserved = await list();
    assert.match(unserved.stdout, /\n3\.0\.0 +Three +2020-01-01T00:00:00\.000Z +no server +ver_3\n2/);
    assert.equal(unserved.stderr, '');
    await runOk(sandbox, ['changelog', 'set', 'acme/rocket', '--status', 'locked']);
    const waiting = `Scheduled and due, but below a locked product or changelog: acme/rocket 3.0.0 (${PAST}). Unlock it with \`changelog product set\` or \`changelog changelog set\`.`;
    const locked = await list();
    assert.match(locked.stdout, / locked changelog +ver_3/);
    assert.deepEqual(await run(sandbox, ['publish-due']), {
      code: 0,
      stdout: 'Nothing is due.\n',
      stderr: `${waiting}\n`,
    });
    await runOk(sandbox, ['changelog', 'set', 'acme/rocket', '--status', 'published']);
    const done = `acme/rocket 3.0.0, dated ${PAST}.\n`;
    assert.equal(await runOk(sandbox, ['publish-due', '--dry-run']), `Would publish ${done}`);
    assert.equal(await runOk(sandbox, ['publish-due']), `Published ${done}`);
    assert.deepEqual(await run(sandbox, ['publish-due']), {
      code: 0,
      stdout: 'Nothing is due.\n',
      stderr: '',
    });
    await runOk(sandbox, publish('2.0.0', '--at', PAST));
    assert.deepEqual(await runJson(sandbox, ['publish-due']), [
      { id: 'ver_2', version: '2.0.0', publishedAt: PAST, team: 'acme', product: 'rocket' },
    ]);
    assert.deepEqual(await runJson(sandbox, ['publish-due']), []);
  });

  it('a schedule changes no public response, is in no response at all, and what is published follows', async (t) => {
    await reset();
    const { app } = await startApp(t, sandbox);
    const { key } = await createKey(sandbox, 'acme', '--kind', 'FULL');
    const headers = { authorization: `Bearer ${key}` };
    const publicFeed = async () => await app.inject(`/api/v1/public${PATH}`);
    const first = await publicFeed();
    await runOk(sandbox, publish('3.0.0', '--at', PAST));
    assert.equal((await publicFeed()).headers.etag, first.headers.etag);
    for (const path of ['', '/versions/3.0.0', '?include=changes']) {
      const { statusCode, body } = await app.inject({ url: `/api/v1${PATH}${path}`, headers });
      assert.equal(statusCode, 200);
      assert.doesNotMatch(body, /publishAt|2020-01-01/);
    }
    await runOk(sandbox, ['publish-due']);
    await until(
      'the new version is public',
      async () => (await publicFeed()).headers.etag !== first.headers.etag,
    );
    const { versions } = (await publicFeed()).json().data;
    assert.deepEqual(
      versions.map(({ version, publishedAt }: Record<string, string>) => [version, publishedAt]).at(-1),
      ['3.0.0', PAST],
    );
    const record = (await app.inject(`/api/v1/public${PATH}/versions/3.0.0`)).json().data;
    assert.deepEqual([record.status, record.publishedAt], ['published', PAST]);
    for (const part of ['feed.atom', 'CHANGELOG.md'])
      assert.match((await app.inject(`/api/v1/public${PATH}/${part}`)).body, /Three/);
    assert.match((await app.inject(`/api/v1/public${PATH}?q=three`)).body, /3\.0\.0/);
  });
});
