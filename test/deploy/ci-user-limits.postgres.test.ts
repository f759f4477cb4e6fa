// What the database user for CI cannot do, and what docs/ci.md says that it can still break.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import pg from 'pg';
import { WRITER_LOCK } from '../../src/store/postgres/dialect.ts';
import { execute, query } from '../../support/databases/engine.ts';
import { until } from '../../support/processes/poll.ts';
import { listenApp } from '../../support/program/app.ts';
import { run, runOk } from '../../support/program/command.ts';
import { spawnServer } from '../../support/program/process.ts';
import { codeBlock, section } from '../support/markdown.ts';
import { makeCiUser } from './ci-user.ts';

const { as, CI, createContent, OWNER, runScript, sandbox, urlOf } = makeCiUser();

const DOCS = readFileSync(path.resolve(import.meta.dirname, '../../docs/ci.md'), 'utf8');

describe('the user for CI', () => {
  let keyId: string;
  before(async () => {
    keyId = await createContent();
    await runScript(OWNER);
  });

  it('`serve` is refused at the start, in one line', async (t) => {
    for (const WORKERS of ['1', '2'])
      await assert.rejects(
        spawnServer(t, as(CI, { WORKERS })),
        /^Error: serve exited: changelog: \S+: this user cannot read API keys\. [^\n]* but not serve: for that, use the owner of the tables in DATABASE_URL, or the user that deploy\/postgres\/server-role\.sql makes\.\n$/,
      );
  });

  it('docs/ci.md says what locks of CI stop, and how to end its sessions', async (t) => {
    const { address } = await listenApp(t, as(OWNER));
    const statusOf = async (query: string) =>
      (await fetch(`${address}/api/v1/public/teams/acme/products/rocket/changelog?q=${query}`)).status;
    const session = new pg.Client({ connectionString: urlOf(CI) });
    session.on('error', () => {});
    t.after(() => session.end());
    await session.connect();
    await session.query(`select pg_advisory_lock(${WRITER_LOCK}); begin; lock table versions`);
    assert.equal(await statusOf('one'), 503);
    const writing = run(as(OWNER), ['team', 'set', 'acme', '--name', 'Acme']);
    const waiting = `select 1 from pg_locks join pg_database d on d.oid = database
      where d.datname = current_database() and locktype = 'advisory' and not granted`;
    await until('a command waits', async () => (await query(sandbox, waiting)).length > 0);

    const [stop = '', ...terminate] = codeBlock(section(DOCS, '### A user for CI'), 'sql').split('\n');
    await execute(sandbox, stop.replace('changelog_ci', `"${CI}"`));
    await execute(sandbox, terminate.join('\n').replace('changelog_ci', CI));
    assert.equal((await writing).code, 0);
    await until('reads work again', async () => (await statusOf('two')) === 200);
    await assert.rejects(new pg.Client({ connectionString: urlOf(CI) }).connect(), /not permitted to log in/);
    await execute(sandbox, `alter role "${CI}" login`);
  });

  it('docs/ci.md says what CI stops with `revision`, and what the owner does about it', async () => {
    await execute(
      sandbox,
      `set session authorization "${CI}"; update revision set value = ${2n ** 63n - 1n}`,
    );
    assert.match((await run(as(OWNER), ['key', 'disable', keyId])).stderr, /bigint out of range/);
    const [, repair = ''] = /`(begin; delete from touches; [^`]*)`, as the owner/.exec(DOCS) ?? [];
    await execute(sandbox, `set session authorization "${OWNER}"; ${repair}`);
    await runOk(as(OWNER), ['key', 'disable', keyId]);
  });
});
