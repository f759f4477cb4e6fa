import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { runCommand } from '../../../src/cli/program.ts';
import { databaseUrl, query } from '../../../support/databases/engine.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';

describe('init, with PostgreSQL', () => {
  it('init asks again while the server is unreachable, and stores its URL where only this user can read it', async (t) => {
    const folder = temporaryFolder(t);
    const url = databaseUrl({ folder });
    assert.deepEqual(await query({ folder }, 'select 1 as there'), [{ there: 1 }]);
    const answers = ['Acme', 'Rocket', 'private', 'postgres://me:hunter2@127.0.0.1:1/changelog', url];
    const said: string[] = [];
    const code = await runCommand(
      {
        environment: {},
        folder,
        print: (text) => void said.push(text),
        say: (text) => void said.push(text),
        ask: async (question) => {
          said.push(question);
          return answers.shift() ?? assert.fail('nothing more to answer');
        },
        standardInput: () => [],
        now: () => new Date().toISOString(),
        exit: (status) => assert.fail(`exit ${status}`),
      },
      ['init'],
    );
    assert.equal(code, 0, said.join('\n'));
    assert.match(said.join('\n'), /ECONNREFUSED.*check DATABASE_URL/);
    assert.doesNotMatch(
      said.join('\n'),
      new RegExp(`hunter2|${RegExp.escape(new URL(url).password || 'hunter2')}`),
    );
    const file = path.join(folder, '.env');
    assert.equal((statSync(file).mode & 0o777).toString(8), '600');
    assert.equal(readFileSync(file, 'utf8'), `CHANGELOG_DATABASE_URL=${url}\nCHANGELOG_LISTING=all\n`);
    assert.deepEqual(await query({ folder }, 'select slug, visibility, plan from teams'), [
      { slug: 'acme', visibility: 'private', plan: 'paid' },
    ]);
  });
});
