// `hook test`, which needs no database, and what the commands do without hooks (R65).
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { run } from '../../../../support/program/command.ts';
import { sandboxWithoutDatabase } from '../../helpers.ts';
import { sandboxWithHooks } from '../../hooks/receiver.ts';

describe('hook test', () => {
  const world = sandboxWithHooks(`
  - { name: site, kind: webhook, url: "URL/site?hunter2", secret: "\${SECRET}", only: { teams: [acme] } }
  - { name: chat, kind: slack, url: URL/chat }
  - { name: mail, kind: command, command: [sh, -c, 'grep -q "This is a test" && test "$CHANGELOG_HOOK" = mail'] }
  - { name: other, kind: command, command: [sh, -c, 'test -z "$SECRET"'] }
  - { name: own, kind: command, command: [sh, -c, 'test -n "$SECRET" && test "$SECRET" = "$1"', sh, "\${SECRET}"] }
  - { name: broken, kind: command, command: [sh, -c, "exit 3"] }
  - { name: edge, kind: purge-fastly, url: URL/edge, secret: hunter2 }
`);
  const { take, respondWith } = world;
  const sandbox = { ...world.sandbox, withoutDatabase: true };
  const test = (name: string, ...flags: string[]) => run(sandbox, ['hook', 'test', name, ...flags]);

  it('sends a message that says it is a test, and touches no database', async () => {
    for (const name of ['site', 'chat', 'mail'])
      assert.deepEqual(await test(name), { code: 0, stdout: 'Sent.\n', stderr: '' });
    const [site, chat] = take();
    const { type, data } = JSON.parse(site?.body ?? '');
    assert.deepEqual(
      [type, data.id, data.version, data.title, data.product.name],
      ['version.published', 'ver_test', '0.0.0-test', 'This is a test', 'Test'],
    );
    assert.match(site?.headers['webhook-id'] as string, /^msg_test_/);
    assert.match(chat?.body ?? '', /This is a test/);
    assert.equal(existsSync(path.join(sandbox.folder, 'data')), false);
  });

  it('a program does not see the variables that the file refers to for other hooks, only for its own', async () => {
    for (const name of ['other', 'own'])
      assert.deepEqual(await test(name), { code: 0, stdout: 'Sent.\n', stderr: '' }, name);
  });

  it('a purge hook purges a tag that no response has, another one each time', async () => {
    assert.deepEqual(JSON.parse((await test('edge', '--json')).stdout), { hook: 'edge', sent: true });
    await test('edge');
    const tags = take().map(({ headers }) => headers['surrogate-key'] as string);
    assert.equal(new Set(tags).size, 2);
    for (const tag of tags) assert.match(tag, /^[\w-]{16}$/);
  });

  it('warns of links that only work on this machine', async () => {
    const { BASE_URL: _, ...environment } = sandbox.environment ?? {};
    const { code, stderr } = await run({ ...sandbox, environment }, ['hook', 'test', 'chat']);
    assert.equal(code, 0);
    assert.match(
      stderr,
      /^changelog: warning: HOOKS is set and BASE_URL is unset, so links begin with http:/,
    );
    assert.match(take()[0]?.body ?? '', /http:\/\/127\.0\.0\.1:3000\//);
  });

  it('says what failed and what to check, without a URL or a secret', async () => {
    respondWith(404);
    assert.deepEqual(await test('site'), {
      code: 1,
      stdout: '',
      stderr:
        'changelog: the hook site failed: HTTP 404: the receiver has nothing at this URL; check it. See hooks.yaml, and the log of the receiver.\n',
    });
    assert.match((await test('broken')).stderr, /^changelog: the hook broken failed: exit code 3\. /);
    assert.match((await test('sit')).stderr, /^changelog: there is no hook sit; the hooks are site, chat, /);
  });
});

describe('hook without HOOKS', () => {
  it('says how to set it', async (t) => {
    const sandbox = sandboxWithoutDatabase(t);
    const { code, stdout } = await run(sandbox, ['hook', 'list']);
    assert.equal(code, 0);
    assert.match(stdout, /^There are no hooks\. .* set HOOKS .*docs\/hooks\.md/);
    assert.equal((await run(sandbox, ['hook', 'list', '--json'])).stdout, '[]\n');
    for (const args of [
      ['test', 'chat'],
      ['announce', 'acme/rocket', '1.0.0'],
    ]) {
      const { code, stderr } = await run(sandbox, ['hook', ...args]);
      assert.deepEqual([code, stderr.startsWith('changelog: There are no hooks. ')], [1, true]);
    }
  });
});
