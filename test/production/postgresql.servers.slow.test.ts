// Follows docs/production/postgresql.md on a server with TLS.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { ensureServers, postgresProgram } from '../../cluster/debian.ts';
import { startNode } from '../../cluster/nodes.ts';
import { type PostgresServer, startPostgres } from '../../cluster/postgres.ts';
import { removeFolder } from '../../cluster/scope.ts';
import { makeServerFolder, serverUser } from '../../cluster/user.ts';
import { until } from '../../support/processes/poll.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { run, runOk } from '../../support/program/command.ts';
import { SELF_SIGNED } from '../hooks/self-signed.ts';
import { codeBlock, codeBlocks, section } from '../support/markdown.ts';
import { commandsOf, paste, ROOT, readPage, replaceShown } from './page.ts';

const PAGE = readPage('postgresql.md');
const RECOVERY = codeBlocks(section(PAGE, '## Point-in-time recovery')).map(({ text }) => text);
const scope = sharedScope();
const wal = makeServerFolder();
scope.after(() => removeFolder(wal));

/** The lines of a configuration file, with another folder. */
const settingsIn = (lines: string): Record<string, string> =>
  Object.fromEntries(
    [...lines.matchAll(/^(\w+) = '?(.*?)'?$/gm)].map(([, name, value = '']) => [
      name,
      value.replaceAll('/backup/wal', wal),
    ]),
  );

/** A folder of the servers' user, with a certificate and its key. */
function makeCertificate(): string {
  const folder = makeServerFolder();
  scope.after(() => removeFolder(folder));
  for (const [name, text] of Object.entries(SELF_SIGNED)) {
    const file = path.join(folder, name);
    writeFileSync(file, text.trimStart(), { mode: 0o600 });
    const user = serverUser();
    if (user !== null) chownSync(file, user.uid, user.gid);
  }
  return folder;
}

describe('docs/production/postgresql.md', () => {
  const folder = temporaryFolder(scope);
  let server: PostgresServer;
  let environment: Record<string, string>;
  let authority: string;
  before(async () => {
    await ensureServers(['postgres', 'curl']);
    const certificate = makeCertificate();
    authority = path.join(folder, 'ca.pem');
    writeFileSync(authority, SELF_SIGNED.cert.trimStart());
    const [archiving = ''] = RECOVERY;
    server = await startPostgres(scope, {
      settings: {
        ssl: 'on',
        ssl_cert_file: path.join(certificate, 'cert'),
        ssl_key_file: path.join(certificate, 'key'),
        ...settingsIn(archiving),
      },
    });
    // As at a hosting provider: an administrator that is not a superuser, and has its password in a file.
    await server.psql('postgres', `create role admin login createrole createdb password 'admin'`);
    const passwords = path.join(folder, 'pgpass');
    writeFileSync(passwords, '*:*:*:admin:admin\n', { mode: 0o600 });
    environment = {
      PGPASSFILE: passwords,
      PATH: `${path.dirname(postgresProgram('psql'))}:${path.dirname(process.execPath)}:${process.env.PATH}`,
    };
  });

  it('its commands make a database that is served, filled, backed up and restored', async (t) => {
    mkdirSync(path.join(folder, 'rocket'));
    writeFileSync(
      path.join(folder, 'rocket/CHANGELOG.md'),
      '# Changelog\n\n## 1.0.0 - 2026-05-04\n\n- The first.\n',
    );
    const dump = path.join(folder, 'changelog.dump');
    const commands = replaceShown(commandsOf(PAGE).join(''), [
      ['-U postgres', '-U admin'],
      ['cd /srv/changelog', `cd '${ROOT}'`],
      ['PGHOST=db.example PGPORT=5432', `PGHOST=127.0.0.1 PGPORT=${server.port}`],
      ['/etc/ssl/certs/ca-certificates.crt', authority],
      ['/etc/changelog.env', path.join(folder, 'changelog.env')],
      ['changelog.dump', dump],
      ['systemctl restart changelog\n', ''],
      ['curl http', '# curl http'],
    ]);
    // The last block is for after an accident.
    const restore = commands.lastIndexOf('PGPASSWORD=');
    const functions = `${commands.slice(0, restore)}\necho "OWNER $(url changelog_owner "$OWNER_PASSWORD")"; env | grep PASSWORD`;
    const printed = await paste(functions, { folder, environment });
    assert.match(
      printed,
      /^The user changelog_server can serve, but not write content or API keys\. It existed/m,
    );
    assert.match(printed, /^The user changelog_ci can write content, but not API keys\. It existed/m);
    assert.match(
      printed,
      /^note {3}permissions .*: this user can serve, but not use commands that write\.$/m,
    );
    assert.match(printed, /^The copy is complete\.$/m);
    const [, ownerUrl = ''] = /^OWNER (.*)$/m.exec(printed) ?? [];
    const [, key = ''] = /\b(clk_\w+)/.exec(printed) ?? [];

    const settings = await paste(`set -a; . ./changelog.env; env`, { folder });
    const env = Object.fromEntries(settings.split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)));
    const node = await startNode(t, {
      folder,
      environment: { DATABASE_URL: env.DATABASE_URL, AUTO_MIGRATE: env.AUTO_MIGRATE, BASE_URL: env.BASE_URL },
    });
    const read = async (rest: string, headers = {}) => {
      const response = await fetch(`${node.address}/api/v1/${rest}`, { headers });
      return `${response.status} ${await response.text()}`;
    };
    const latest = 'public/teams/acme/products/rocket/changelog/latest.txt';
    const first = await read(latest);
    assert.equal(first, '200 1.0.0\n');
    const authorization = `Bearer ${key}`;
    assert.match(await read('teams/acme/products', { authorization }), /^200 .*"rocket"/);

    const owner = { folder, environment: { DATABASE_URL: ownerUrl } };
    await runOk(owner, ['team', 'delete', 'acme', '--yes']);
    await until('the team is gone', async () => (await read(latest)).startsWith('404'));
    const passwords = Object.fromEntries(
      [...printed.matchAll(/^(\w*PASSWORD)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    );
    const place = { PGHOST: '127.0.0.1', PGPORT: String(server.port), ...passwords };
    await paste(commands.slice(restore), { folder, environment: { ...environment, ...place } });
    await until('the team is back', async () => (await read(latest)) === first);
    assert.match(await read('teams/acme/products', { authorization }), /^200 /);
    assert.doesNotMatch(node.output().stderr, /permission denied/);
    await node.stop();
  });

  it('a role that has no connection limit is given one', async () => {
    const command = replaceShown(codeBlock(section(PAGE, '## Connections and PgBouncer'), 'sh'), [
      ['-U postgres', '-U admin'],
    ]);
    const place = { PGHOST: '127.0.0.1', PGPORT: String(server.port) };
    assert.equal(await paste(command, { folder, environment: { ...environment, ...place } }), 'ALTER ROLE\n');
  });

  it('sslmode does what the table says', async () => {
    const doctor = async (host: string, parameters: string) => {
      const url = Object.assign(new URL(server.url()), { hostname: host, search: parameters });
      return await run({ folder, environment: { DATABASE_URL: url.href, PORT: '0' } }, ['doctor']);
    };
    const rootcert = `sslrootcert=${authority}`;
    for (const [host, parameters, expected] of [
      ['127.0.0.1', '', /^ok {5}database/m],
      ['127.0.0.1', 'sslmode=require', /^ok {5}database/m],
      ['localhost', `sslmode=verify-ca&${rootcert}`, /^ok {5}database/m],
      ['127.0.0.1', `sslmode=verify-full&${rootcert}`, /^ok {5}database/m],
      ['localhost', `sslmode=verify-full&${rootcert}`, /Hostname\/IP does not match certificate's altnames/],
      ['127.0.0.1', 'sslmode=verify-full', /self-signed certificate/],
      ['127.0.0.1', 'sslmode=verify-full&sslrootcert=system', /no such file or directory, open 'system'/],
    ] as const)
      assert.match((await doctor(host, parameters)).stdout, expected, `${host} ${parameters}`);
  });

  it('a database is recovered to a point in time', async () => {
    const base = makeServerFolder();
    scope.after(() => removeFolder(base));
    const data = path.join(base, 'data');
    const command = /`(pg_basebackup [^`]*)`/.exec(PAGE)?.[1] ?? '';
    await server.createDatabase('recovered');
    const [program = '', ...args] = command.replace('/backup/base', data).split(' ');
    await promisify(execFile)(postgresProgram(program), [...args, '-d', server.url()], {
      cwd: '/',
      ...serverUser(),
    });

    const sandboxAt = (url: string) => ({ folder, environment: { DATABASE_URL: url } });
    const live = sandboxAt(server.url('recovered'));
    await runOk(live, ['apply', '-'], JSON.stringify({ team: { slug: 'acme', name: 'Acme' } }));
    const time = (await server.psql('postgres', 'select pg_switch_wal() is null, clock_timestamp()'))
      .trim()
      .split('|')[1];
    await runOk(live, ['team', 'delete', 'acme', '--yes']);
    await server.psql('postgres', 'select pg_switch_wal()');
    await until(
      'the log is archived',
      async () =>
        (
          await server.psql('postgres', `select last_archived_time > '${time}' from pg_stat_archiver`)
        ).startsWith('t') &&
        (
          await server.psql(
            'postgres',
            `select count(*) from pg_ls_archive_statusdir() where name like '%.ready'`,
          )
        ).startsWith('0'),
    );
    const settings = { ...settingsIn(RECOVERY[1] ?? ''), recovery_target_time: time ?? '' };
    writeFileSync(path.join(data, 'recovery.signal'), '');
    const restored = await startPostgres(scope, { folder: base, settings });
    await until('it is promoted', async () =>
      (await restored.psql('postgres', 'select pg_is_in_recovery()')).startsWith('f'),
    );
    assert.match(await runOk(sandboxAt(restored.url('recovered')), ['team', 'list']), /^acme/m);
    const prefer = { DATABASE_URL: `${restored.url('recovered')}?sslmode=prefer`, PORT: '0' };
    assert.match((await run({ folder, environment: prefer }, ['doctor'])).stdout, /does not support SSL/);
  });
});
