// Settings with the prefix CHANGELOG_, for directories that an application shares.
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { startNode } from '../../cluster/nodes.ts';
import { type Environment, loadConfig, PREFIX, readConfig, SETTINGS } from '../../src/config.ts';
import { databaseUrl, provideMigrated } from '../../support/databases/engine.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';
import { doctor, run, runOk } from '../../support/program/command.ts';
import { spawnServer } from '../../support/program/process.ts';
import { sandboxOf } from './helpers.ts';

function folderWith(t: TestContext, dotEnv: string): string {
  const folder = temporaryFolder(t);
  writeFileSync(path.join(folder, '.env'), dotEnv, { mode: 0o600 });
  return folder;
}

describe('the prefix CHANGELOG_', () => {
  it('every setting can be given with the prefix, which wins', () => {
    for (const { variable, accepts } of Object.values(SETTINGS)) {
      // No setting accepts an empty value.
      assert.throws(
        () => readConfig({ [PREFIX + variable]: '', [variable]: 'x' }),
        ({ message }: Error) => message.startsWith(`CHANGELOG_${variable} is `) && message.includes(accepts),
        variable,
      );
    }
    assert.equal(readConfig({ CHANGELOG_PORT: '4000', PORT: 'of another program' }).port, 4000);
  });

  it('the environment wins over .env, and in each place the prefix wins', (t) => {
    // In their order: the first that is set counts.
    const places = [
      { isInDotEnv: false, name: 'CHANGELOG_PORT' },
      { isInDotEnv: false, name: 'PORT' },
      { isInDotEnv: true, name: 'CHANGELOG_PORT' },
      { isInDotEnv: true, name: 'PORT' },
    ];
    for (let set = 0; set < 2 ** places.length; set++) {
      const given = places
        .map((place, index) => ({ ...place, port: index + 1 }))
        .filter(({ port }) => set & (1 << (port - 1)));
      const dotEnv = given.filter(({ isInDotEnv }) => isInDotEnv);
      const folder = folderWith(t, dotEnv.map(({ name, port }) => `${name}=${port}\n`).join(''));
      const environment = Object.fromEntries(
        given.filter(({ isInDotEnv }) => !isInDotEnv).map(({ name, port }) => [name, String(port)]),
      );
      assert.equal(loadConfig(environment, folder).port, given[0]?.port ?? 3000, JSON.stringify(given));
    }
  });

  it('a .env cannot send the password of the environment to another server', async (t) => {
    const folder = folderWith(t, 'CHANGELOG_DATABASE_URL=postgres://192.0.2.1:1/x\n');
    const environment = { DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/x' };
    const { code, stderr } = await run({ folder, environment }, ['team', 'list']);
    assert.equal(code, 1);
    assert.match(stderr, /ECONNREFUSED 127\.0\.0\.1:1; check DATABASE_URL, and that/);
    assert.doesNotMatch(stderr, /hunter2|192\.0\.2\.1/);
  });

  it('the variables that Kubernetes sets for a service called changelog are not settings', () => {
    const links = { CHANGELOG_PORT: 'tcp://10.0.0.9:80', CHANGELOG_OPS_PORT: 'udp://10.0.0.9:9090' };
    const { port, opsPort } = readConfig({ ...links, PORT: '4000' });
    assert.deepEqual([port, opsPort], [4000, null]);
  });

  it('such a variable does not hide the setting in .env', (t) => {
    const links = { CHANGELOG_PORT: 'tcp://10.0.0.9:80' };
    for (const dotEnv of ['PORT=4000\n', 'CHANGELOG_PORT=4000\n'])
      assert.equal(loadConfig(links, folderWith(t, dotEnv)).port, 4000);
  });

  it('the message about a wrong value names the variable that was written', async (t) => {
    const { folder } = sandboxOf(t);
    const given = async (environment: Environment, ...args: string[]) =>
      (await run({ folder, environment }, args)).stderr;
    assert.match(await given({ CHANGELOG_PORT: 'x' }, 'serve'), /^changelog: CHANGELOG_PORT is "x"; /);
    assert.match(
      await given({ CHANGELOG_REDIS_URL: 'x', CHANGELOG_PORT: '1' }, 'serve'),
      /CHANGELOG_REDIS_URL is not valid; it must be redis:\/\/HOST:PORT/,
    );
  });

  it('options win over the prefix, in workers too', async (t) => {
    const sandbox = sandboxOf(t);
    const environment = { CHANGELOG_PORT: 'x', CHANGELOG_HOST: '192.0.2.1', CHANGELOG_WORKERS: '1' };
    const server = await spawnServer(t, sandbox, environment, ['--host', '127.0.0.1', '--workers', '2']);
    const response = await fetch(`${server.address}/api/v1/public/teams/a/products/b/changelog`);
    assert.equal(response.status, 404);
  });

  it('`demo` uses its own database, and the LISTING of the prefix', async (t) => {
    const { folder } = sandboxOf(t);
    const environment = { CHANGELOG_DATABASE_URL: 'postgres://127.0.0.1:1/x', CHANGELOG_LISTING: 'none' };
    const { address } = await startNode(t, { command: 'demo', folder, environment });
    assert.equal((await fetch(`${address}/changelog/acme`)).status, 404);
    assert.equal((await fetch(`${address}/changelog/acme/rocket`)).status, 200);
  });

  it('`serve --help` names the prefix', async (t) => {
    assert.match(await runOk(sandboxOf(t), ['serve', '--help']), /\bCHANGELOG_NAME wins over NAME:\n/);
  });

  it('`doctor` knows the prefix in .env', async (t) => {
    const folder = folderWith(
      t,
      [
        'DATABASE_URL=mysql://app:hunter2@127.0.0.1/app',
        `CHANGELOG_DATABASE_URL=${databaseUrl({ folder: 'x' })}`,
        'CHANGELOG_PASSWORD_PROTECTION_PASSWORD=hunter2',
      ].join('\n'),
    );
    const file = path.join(folder, '.env');
    chmodSync(file, 0o644);
    await provideMigrated({ folder });
    const environment = {
      CHANGELOG_DATABASE_URL: databaseUrl({ folder }),
      CHANGELOG_HOST: '0.0.0.0',
    };
    const { stdout } = await doctor({ folder, environment });
    for (const line of [
      'note   settings     HOST is 0.0.0.0 and BASE_URL is unset',
      'wrong  gate         credentials are set, but PASSWORD_PROTECTION is not true',
      'wrong  permissions  Other users of this machine may read the passwords in',
    ])
      assert.ok(stdout.includes(line), `${line}\n${stdout}`);
    assert.doesNotMatch(stdout, /hunter2/);
  });
});
