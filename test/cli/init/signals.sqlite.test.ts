// Whoever gives up while `init` works finds the folder as it was.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { until } from '../../../support/processes/poll.ts';
import { spawnProgram } from '../../../support/program/process.ts';
import { workplaceWithoutDatabase } from '../helpers.ts';

/** Enough for an import that takes a second or more. */
const VERSIONS = 10_000;

describe('init', () => {
  it('leaves nothing behind when it is ended by a signal', async (t) => {
    const workplace = workplaceWithoutDatabase(t);
    const { folder } = workplace;
    const versions = Array.from(
      { length: VERSIONS },
      (_, at) => `## [${at}.0.0] - 2026-05-04\n\n- A change.\n`,
    );
    writeFileSync(path.join(folder, 'CHANGELOG.md'), `# Changelog\n\n${versions.join('\n')}`);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      const args = [
        'init',
        '--yes',
        '--team',
        'Acme',
        '--product',
        'Rocket',
        '--database',
        'sqlite:data/new.db',
      ];
      const { child, exited, output } = await spawnProgram(t, workplace, args, { DATABASE_URL: undefined });
      await until('the database is being filled', () => existsSync(path.join(folder, 'data')));
      child.kill(signal);
      assert.deepEqual(await exited, { code: null, signal }, output().stderr);
      assert.deepEqual(readdirSync(folder), ['CHANGELOG.md']);
    }
  });
});
