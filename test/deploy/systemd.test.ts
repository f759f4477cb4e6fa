import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { readConfig, SETTINGS } from '../../src/config.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';
import { section } from '../support/markdown.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CHECKOUT = '/srv/changelog/';
const FOLDER = 'deploy/systemd';
const FILE = `${FOLDER}/changelog.service`;
const UNIT = readUnit(FILE);
const BACKUP = readUnit(`${FOLDER}/changelog-backup.service`);
/** The lines below this one are the confinement of a unit. */
const CONFINED_FROM = 'NoNewPrivileges';

describe('deploy/systemd/changelog.service', () => {
  it('the unit runs a program and names a document that exist in the checkout', () => {
    const [program = '', ...args] = only('ExecStart').split(' ');
    accessSync(inCheckout(program), constants.X_OK);
    assert.deepEqual(args, ['serve']);
    accessSync(inCheckout(only('Documentation').replace(/^file:/, '')));
  });

  it('the unit has only settings that exist, with valid values', () => {
    const environment = Object.fromEntries(all('Environment').map((line) => line.split(/=(.*)/s)));
    const known = Object.values(SETTINGS).map(({ variable }) => variable);
    for (const name of Object.keys(environment)) assert.ok(known.includes(name), name);
    const [url] = readConfig(environment).databaseUrls;
    assert.ok(url.startsWith(`sqlite:/var/lib/${only('StateDirectory')}/`), url);
  });

  it('the commands in the documents run as the user of the unit, in its directory and on its database', () => {
    const database = all('Environment').find((line) => line.startsWith('DATABASE_URL='));
    const [program] = only('ExecStart').split(' ');
    const asService = `env -C ${only('WorkingDirectory')} ${database} ${program}`;
    const asRoot = `runuser -u ${only('User')} -- ${asService} doctor`;
    assert.ok(read('docs/operations.md').includes(`\n${asRoot}\n`), asRoot);
    // Its settings come from the same file, and that one wins.
    const file = only('EnvironmentFile').replace('-', '');
    const wrapped = `\n${database}\n. ${file}\nexec ${asRoot.replace(`${database} `, '').replace(/doctor$/, '"$@"')}\n`;
    assert.ok(read('docs/production/one-machine.md').includes(wrapped), wrapped);
    const header = read(FILE).replaceAll(/ \\\n# +/g, ' ');
    assert.ok(header.includes(`\n#   ${asRoot}\n`), asRoot);

    const page = section(read('docs/ci.md'), '## SSH');
    const [, command = ''] = /^restrict,command="sudo -n -u ([^"]*)" ssh-ed25519 /m.exec(page) ?? [];
    assert.equal(command, `${only('User')} ${asService} import acme/rocket -`);
    const [, users, allowed] = /^deploy ALL=\((\w+)\) NOPASSWD: (.*)$/m.exec(page) ?? [];
    assert.equal(
      `${users} ${allowed}`,
      command.replace(' env', ' /usr/bin/env').replace('sqlite:', 'sqlite\\:'),
    );
    // CI names no command: the one of the key runs.
    const calls = [...page.matchAll(/ssh -T .* (\S+) < CHANGELOG\.md$/gm)].map(([, target]) => target);
    assert.deepEqual(calls, ['deploy@changelog.example', 'deploy@changelog.example']);
  });

  it('the unit drops all privileges except the one that Node.js needs', () => {
    assert.equal(only('CapabilityBoundingSet'), '');
    assert.equal(only('ProtectSystem'), 'strict');
    for (const name of [
      'NoNewPrivileges',
      'ProtectHome',
      'PrivateTmp',
      'PrivateDevices',
      'RestrictNamespaces',
    ])
      assert.equal(only(name), 'yes', name);
    assert.deepEqual(all('MemoryDenyWriteExecute'), []);
  });

  it('the unit starts a single process again after a reload, which ends it with 0', () => {
    assert.equal(only('ExecReload'), '/bin/kill -HUP $MAINPID');
    assert.equal(only('Restart'), 'always');
  });

  it('the unit waits longer for the process to stop than a drain may take', () => {
    const [, drainMs = ''] = /DRAIN_MS_MAX = ([\d_]+);/.exec(read('src/serve/listen.ts')) ?? [];
    assert.ok(Number(only('TimeoutStopSec')) * 1_000 > Number(drainMs.replaceAll('_', '')) + 5_000);
  });
});

describe('deploy/systemd/changelog-backup.service', () => {
  it('the backup runs as the user of the service, with its settings, and under the same confinement, without a network', () => {
    for (const name of ['User', 'Group', 'UMask', 'StateDirectoryMode', 'EnvironmentFile'])
      assert.equal(only(name, BACKUP), only(name), name);
    assert.ok(all('Environment', BACKUP).includes(all('Environment')[0] ?? ''));
    const confinement = (unit: readonly Assignment[]) =>
      unit
        .slice(unit.findIndex(({ name }) => name === CONFINED_FROM))
        .filter(({ name }) => !['RestrictAddressFamilies', 'PrivateNetwork', 'WantedBy'].includes(name));
    assert.deepEqual(confinement(BACKUP), confinement(UNIT));
    assert.equal(only('RestrictAddressFamilies', BACKUP), 'AF_UNIX');
    assert.equal(only('PrivateNetwork', BACKUP), 'yes');
  });

  it('the backup has the day in its name, and only after it succeeded, all but the newest copies are removed', (t) => {
    const folder = temporaryFolder(t);
    const names = ['2025-12-31', '2026-01-01', '2026-01-02'].map((day) => `changelog-${day}.db`);
    for (const name of [...names, 'changelog-mine.db', 'changelog.db'])
      writeFileSync(path.join(folder, name), '');
    const script = (name: string) => {
      const [, text = ''] = /^\/bin\/sh -c '(.*)'$/.exec(only(name, BACKUP)) ?? [];
      return text.replaceAll('%%', '%');
    };
    const sh = (text: string, KEEP: string) =>
      execFileSync('/bin/sh', ['-ec', text], {
        cwd: folder,
        env: { PATH: process.env.PATH, KEEP },
        encoding: 'utf8',
      });
    const [program, ...args] = sh(script('ExecStart').replace('exec', 'echo'), '1').trim().split(' ');
    accessSync(inCheckout(program ?? ''), constants.X_OK);
    assert.equal(args.join(' '), `backup changelog-${new Date().toISOString().slice(0, 10)}.db`);
    assert.match(all('Environment', BACKUP).join(), /KEEP=14/);
    sh(script('ExecStartPost'), '14');
    assert.equal(readdirSync(folder).length, 5);
    sh(script('ExecStartPost'), '2');
    assert.deepEqual(readdirSync(folder).toSorted(), [
      ...names.slice(1),
      'changelog-mine.db',
      'changelog.db',
    ]);
    sh(script('ExecStartPost'), '0');
    assert.deepEqual(readdirSync(folder).toSorted(), [names.at(-1), 'changelog-mine.db', 'changelog.db']);
  });

  it('with postgresql-backup.conf, it makes dumps over the network, and keeps as many', () => {
    const dropIn = readUnit(`${FOLDER}/postgresql-backup.conf`);
    const dump = `pg_dump --format=custom --no-password --file=new.dump && mv new.dump "changelog-$(date -u +%%F).dump"`;
    assert.deepEqual(all('ExecStart', dropIn), ['', `/bin/sh -c '${dump}'`]);
    const removal = only('ExecStartPost', BACKUP).replace('.db', '.dump');
    assert.deepEqual(all('ExecStartPost', dropIn), ['', removal]);
    assert.equal(only('RestrictAddressFamilies', dropIn), only('RestrictAddressFamilies'));
    assert.equal(only('PrivateNetwork', dropIn), 'no');
  });
});

type Assignment = Readonly<{ name: string; value: string }>;

function readUnit(file: string): Assignment[] {
  return read(file)
    .split('\n')
    .filter((line) => /^[A-Z]\w+=/.test(line))
    .map((line) => line.split(/=(.*)/s))
    .map(([name = '', value = '']) => ({ name, value }));
}

function all(wanted: string, unit = UNIT): string[] {
  return unit.filter(({ name }) => name === wanted).map(({ value }) => value);
}

function only(name: string, unit = UNIT): string {
  const values = all(name, unit);
  assert.equal(values.length, 1, name);
  return values[0] as string;
}

function inCheckout(file: string): string {
  assert.ok(file.startsWith(CHECKOUT), file);
  return path.join(ROOT, file.slice(CHECKOUT.length));
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}
