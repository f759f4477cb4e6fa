import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { until } from '../../../support/processes/poll.ts';
import { runOk } from '../../../support/program/command.ts';
import { spawnProgram } from '../../../support/program/process.ts';
import { sandboxWithoutDatabase } from '../helpers.ts';

/** Enough for an import that takes a second or more. */
const VERSIONS = 4_000;
const INIT = ['init', '--yes', '--team', 'Acme', '--product', 'Rocket'];

describe('init', () => {
  it('init can be run again after a signal, which leaves at most an empty database', async (t) => {
    const sandbox = sandboxWithoutDatabase(t);
    const { folder } = sandbox;
    const versions = Array.from(
      { length: VERSIONS },
      (_, at) => `## [${at}.0.0] - 2026-05-04\n\n- A change.\n`,
    );
    writeFileSync(path.join(folder, 'CHANGELOG.md'), `# Changelog\n\n${versions.join('\n')}`);
    const start = () => spawnProgram(t, sandbox, INIT, { DATABASE_URL: undefined });
    const { child, exited, output } = await start();
    await until('the database is being filled', () => existsSync(path.join(folder, 'data/changelog.db')));
    child.kill('SIGINT');
    assert.deepEqual(await exited, { code: null, signal: 'SIGINT' }, output().stderr);
    assert.deepEqual(readdirSync(folder).sort(), ['CHANGELOG.md', 'data']);
    assert.ok(!existsSync(path.join(folder, 'data/changelog.key')));

    const again = await start();
    assert.deepEqual(await again.exited, { code: 0, signal: null }, again.output().stderr);
    assert.match(again.output().stdout, /^\+ team acme$/m);
    const environment = { CHANGELOG_DATABASE_URL: `sqlite:${path.join(folder, 'data/changelog.db')}` };
    const listed = await runOk({ ...sandbox, environment }, ['version', 'list', 'acme/rocket', '--json']);
    assert.equal(JSON.parse(listed).length, VERSIONS);
  });

  it('init run twice at the same time sets up everything once', async (t) => {
    const sandbox = sandboxWithoutDatabase(t);
    const { folder } = sandbox;
    const both = await Promise.all(
      [1, 2].map(() => spawnProgram(t, sandbox, INIT, { DATABASE_URL: undefined })),
    );
    const exits = await Promise.all(both.map(({ exited }) => exited));
    assert.ok(
      exits.some(({ code }) => code === 0),
      both.map(({ output }) => output().stderr).join(),
    );
    assert.deepEqual(readdirSync(folder).sort(), ['.env', 'data']);
    assert.deepEqual(readdirSync(path.join(folder, 'data')).sort(), [
      '.gitignore',
      'changelog.db',
      'changelog.key',
    ]);
    const environment = { CHANGELOG_DATABASE_URL: `sqlite:${path.join(folder, 'data/changelog.db')}` };
    const keys = await runOk({ ...sandbox, environment }, ['key', 'list', 'acme', '--json']);
    assert.equal(JSON.parse(keys).length, 1);
  });
});
