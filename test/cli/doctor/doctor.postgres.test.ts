// The checks of doctor on PostgreSQL. No password is ever printed.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { freePort } from '../../../cluster/port.ts';
import { type PostgresServer, startPostgres } from '../../../cluster/postgres.ts';
import { deadline } from '../../../support/processes/busy.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { type CommandResult, doctor, run, runOk } from '../../../support/program/command.ts';
import { addLaterStep } from '../../store/migrate/later-step.ts';

const WRONG_PASSWORD = 'open-sesame';

describe('doctor, with PostgreSQL', () => {
  const scope = sharedScope();
  const folder = temporaryFolder(scope);
  let postgres: PostgresServer;

  before(async () => {
    postgres = await startPostgres(scope);
    await runOk(at(postgres.url()), ['migrate']);
    await postgres.createDatabase('standby', 'postgres');
  });

  const at = (...urls: string[]) => ({ folder, environment: { DATABASE_URL: urls.join(',') } });

  /** Asserts that the output contains no password. */
  async function runDoctor(...urls: string[]): Promise<CommandResult & { lines: string[] }> {
    const result = await doctor(at(...urls));
    const { password } = new URL(postgres.url());
    for (const secret of [password, decodeURIComponent(password), WRONG_PASSWORD])
      assert.ok(!(result.stdout + result.stderr).includes(secret), 'a password was printed');
    assert.equal(result.stderr === '', result.code === 0);
    return { ...result, lines: result.stdout.trimEnd().split('\n') };
  }
  const about = (lines: string[], name: string) => lines.filter((line) => line.includes(`${name}`));
  const nameOf = (url: string) => `${new URL(url).host}${new URL(url).pathname}`;

  it('doctor prints lines for each database URL, and none about files', async () => {
    const urls = [postgres.url(), postgres.url('standby')];
    const { code, lines } = await runDoctor(...urls);
    assert.equal(code, 0);
    for (const url of urls) {
      const [database = '', schema = '', ...more] = about(lines, nameOf(url));
      assert.match(database, /^ok {5}database +127\.0\.0\.1:\d+\/\w+ opens and is intact\.$/);
      assert.match(schema, /^ok {5}schema +127\.0\.0\.1:\d+\/\w+: .*up to date\.$/);
      assert.deepEqual(more, []);
    }
    assert.doesNotMatch(lines.join('\n'), /permissions/);
  });

  it('doctor reports a wrong password', async () => {
    const url = Object.assign(new URL(postgres.url()), { password: WRONG_PASSWORD }).href;
    const { code, lines } = await runDoctor(url);
    assert.equal(code, 1);
    const [line = ''] = about(lines, nameOf(url));
    assert.match(
      line,
      /^wrong {2}database .*password authentication failed.*check the user and the password/,
    );
  });

  it('doctor reports a user without the right to write, and so do writing commands', async () => {
    const password = 'may-not-write';
    await postgres.psql('postgres', `create role reader login password '${password}'`);
    await postgres.psql('postgres', 'grant select on all tables in schema public to reader');
    const url = Object.assign(new URL(postgres.url()), { username: 'reader', password }).href;
    const { code, lines } = await runDoctor(url);
    assert.equal(code, 1);
    assert.match(
      lines.join('\n'),
      /^wrong {2}permissions .*cannot be written to: its user lacks the privilege/m,
    );

    await postgres.createDatabase('bare');
    const { code: failed, stderr } = await run(at(url.replace(/[^/]+$/, 'bare')), ['migrate']);
    assert.equal(failed, 1);
    assert.match(
      stderr,
      /^changelog: permission denied for schema public; the user in DATABASE_URL cannot create tables: run `changelog migrate` as the owner of the database\.\n$/,
    );
  });

  it('doctor reports a replica that is listed as the primary, and so do writing commands', async (t) => {
    const replica = await startPostgres(t, { standbyOf: postgres });
    const { code, lines } = await runDoctor(replica.url());
    assert.equal(code, 1);
    assert.match(lines.join('\n'), /^wrong {2}permissions .*it is a replica; put the primary first/m);
    const apply = (url: string) => run(at(url), ['apply', '-'], 'team: { slug: acme, name: Acme }');
    const { stderr } = await apply(replica.url());
    assert.match(stderr, /^changelog: [^\n]*read-only transaction; the first URL[^\n]*primary\.\n$/);
  });

  it('doctor reports a replica that is not a copy of the primary', async () => {
    await postgres.createDatabase('other');
    await runOk(at(postgres.url('other')), ['migrate']);
    const { code, lines } = await runDoctor(postgres.url(), postgres.url('other'));
    assert.equal(code, 1);
    assert.match(lines.join('\n'), /^wrong {2}replica +127\.0\.0\.1:\d+\/other is not a copy of the first/m);
  });

  it('doctor reports a database that does not exist', async () => {
    const { code, lines } = await runDoctor(postgres.url('nothing'));
    assert.equal(code, 1);
    assert.match(
      lines.join('\n'),
      /^wrong {2}database .*"nothing" does not exist; create it with `createdb`/m,
    );
  });

  it('doctor reports a server that is down, and still checks the other one', async () => {
    const url = postgres.url().replace(String(postgres.port), String(await freePort()));
    const { code, lines, stderr } = await runDoctor(postgres.url(), url);
    assert.equal(code, 1);
    assert.match(
      about(lines, nameOf(url)).join('\n'),
      /^wrong {2}database .*ECONNREFUSED.*check DATABASE_URL/,
    );
    assert.match(about(lines, nameOf(postgres.url())).join('\n'), /^ok {5}database /);
    assert.match(stderr, /^changelog: 1 of \d+ checks/);
  });

  it('doctor reports a hanging server within 10 seconds', async (t) => {
    const hung = await startPostgres(t);
    await runOk(at(hung.url()), ['migrate']);
    hung.hang();
    t.after(hung.resume);
    const startedAt = performance.now();
    const { code, lines } = await runDoctor(hung.url());
    assert.equal(code, 1);
    assert.match(lines.join('\n'), /^wrong {2}database .*timeout.*check DATABASE_URL/m);
    assert.ok(performance.now() - startedAt < deadline(10_000));
  });

  it('doctor reports a password that cannot be decoded, without printing it', async () => {
    const url = postgres.url().replace(/:[^:@]+@/, `:${WRONG_PASSWORD}%zz@`);
    const { code } = await runDoctor(url);
    assert.equal(code, 1);
  });

  it('doctor reports an empty database as such, and as a replica as no copy', async () => {
    await postgres.createDatabase('empty');
    const first = await runDoctor(postgres.url('empty'));
    assert.equal(first.code, 0);
    assert.match(
      first.lines.join('\n'),
      /^note {3}schema +127\.0\.0\.1:\d+\/empty: the database has no tables of this program; `changelog migrate`/m,
    );
    const { code, lines } = await runDoctor(postgres.url(), postgres.url('empty'));
    assert.equal(code, 1);
    assert.match(lines.join('\n'), /^wrong {2}replica +127\.0\.0\.1:\d+\/empty is not a copy of the first/m);
    assert.doesNotMatch(lines.join('\n'), /migrate/);
  });

  it('doctor reports which database has an older schema', async (t) => {
    await postgres.createDatabase('older', 'postgres');
    addLaterStep(t);
    const manual = { ...at(postgres.url(), postgres.url('older')) };
    Object.assign(manual.environment, { AUTO_MIGRATE: 'false' });
    const { code, stdout } = await doctor(manual);
    assert.equal(code, 1);
    assert.match(stdout, /^wrong {2}schema +127\.0\.0\.1:\d+\/older: .*`changelog migrate`/m);
  });
});
