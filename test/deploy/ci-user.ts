// A database with a user for CI or for servers, made by the scripts from the repository.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { postgresProgram } from '../../cluster/debian.ts';
import { databaseUrl, execute } from '../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { createKey, runOk, type Sandbox } from '../../support/program/command.ts';

const SCRIPTS = path.resolve(import.meta.dirname, '../../deploy/postgres');
const PASSWORD = `it's "secret"/@`;

export const DOCUMENT = {
  team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
  products: [
    {
      slug: 'rocket',
      name: 'Rocket',
      status: 'published',
      changelog: {
        status: 'published',
        versions: [
          { version: '1.0.0', title: 'One', status: 'published', changes: [{ type: 'added', text: 'A' }] },
        ],
      },
    },
    { slug: 'glider', name: 'Glider', changelog: { versions: [{ version: '0.1.0', title: 'Draft' }] } },
  ],
};

/** A database of its own, and users: these belong to the whole server, which other tests use too. */
export function makeCiUser() {
  const unique = randomUUID().slice(0, 8);
  const OWNER = `owner-${unique}`;
  const CI = `CI ${unique}`;
  const sandbox: Sandbox = { folder: temporaryFolder(sharedScope()) };
  const as = (username: string, environment = {}): Sandbox => ({
    ...sandbox,
    environment: { ...environment, DATABASE_URL: urlOf(username) },
  });
  const urlOf = (username: string) =>
    Object.assign(new URL(databaseUrl(sandbox)), {
      username: encodeURIComponent(username),
      password: encodeURIComponent(PASSWORD),
    }).href;

  /** Runs a script as its header says, and returns what it prints. */
  async function runScript(
    user: string,
    { script = 'ci-role.sql', role = CI, database = '', password = PASSWORD, flags = [] as string[] } = {},
  ) {
    const { hostname, port, pathname } = new URL(databaseUrl(sandbox));
    const place = ['-h', hostname, '-p', port, '-U', user, '-d', database || pathname.slice(1)];
    const passwords = { CHANGELOG_CI_PASSWORD: password, CHANGELOG_SERVER_PASSWORD: password };
    const env = { PATH: process.env.PATH, PGPASSWORD: PASSWORD, ...passwords };
    const args = ['-X', ...place, '-v', `role=${role}`, ...flags, '-f', path.join(SCRIPTS, script)];
    const done = promisify(execFile)(postgresProgram('psql'), args, { env });
    const { stdout, stderr, code } = await done.then(
      (printed) => ({ ...printed, code: 0 }),
      (error: { stdout: string; stderr: string; code: number }) => error,
    );
    assert.equal(code, stderr.includes('ERROR') ? 3 : 0);
    assert.ok(!(stdout + stderr).includes('secret'), 'the password was printed');
    return stdout + stderr;
  }

  /** Creates the owner, its tables and some content; returns the id of an API key. */
  async function createContent(): Promise<string> {
    // As on a managed server: the owner can create users, but is not a superuser.
    await execute(
      sandbox,
      `create role "${OWNER}" login createrole password '${PASSWORD.replace("'", "''")}'`,
    );
    const { pathname } = new URL(databaseUrl(sandbox));
    await execute(sandbox, `alter database "${decodeURIComponent(pathname.slice(1))}" owner to "${OWNER}"`);
    await runOk(as(OWNER), ['apply', '-'], JSON.stringify(DOCUMENT));
    return (await createKey(as(OWNER), 'acme', '--kind', 'SELECT', '--product', 'glider')).id;
  }

  return { OWNER, CI, sandbox, as, urlOf, runScript, createContent };
}
