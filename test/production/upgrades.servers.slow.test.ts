// Follows docs/production/upgrades.md. There is only one version of the program here, so git and systemctl are stand-ins, and a
// newer version is one more schema step in the database.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { ensureServers, postgresProgram } from '../../cluster/debian.ts';
import { MAIN, startNode } from '../../cluster/nodes.ts';
import { startPostgres } from '../../cluster/postgres.ts';
import { seedWorld } from '../../support/content/world.ts';
import { dump, execute } from '../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { run, runOk } from '../../support/program/command.ts';
import { addLaterStep } from '../store/migrate/later-step.ts';
import { codeBlocks, section } from '../support/markdown.ts';
import { paste, ROOT, readPage, replaceShown } from './page.ts';

const PAGE = readPage('upgrades.md');
const NEWER = /the database was made by a newer version of this program: use that version or a later one\./;
const scope = sharedScope();

const blocksOf = (heading: string) =>
  codeBlocks(section(PAGE, heading))
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text);
const [UPGRADE = '', BACK = '', KEEP = ''] = blocksOf('## One machine');

/** A machine with a database, and the commands that the page relies on. */
async function makeMachine() {
  const folder = temporaryFolder(scope);
  const sandbox = { folder };
  await seedWorld(sandbox);
  const database = path.join(folder, 'changelog.db');
  const at = (name: string) => path.join(folder, name);
  for (const name of ['bin', 'etc', 'backup', 'tmp']) mkdirSync(at(name));
  const script = (name: string, text: string) =>
    writeFileSync(at(`bin/${name}`), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const program = `exec '${process.execPath}' '${MAIN}' "$@"`;
  script('systemctl', `echo "$@" >> '${at('systemctl.log')}'`);
  script('git', ':');
  script('changelog', `export DATABASE_URL='sqlite:${database}'\n${program}`);
  script('program', program);
  const used = (text: string) =>
    [
      ['/srv/changelog-new/bin/changelog', 'program'],
      ['/srv/changelog/bin/changelog', 'program'],
      ['/srv/changelog/deploy', path.join(ROOT, 'deploy')],
      ['/etc/systemd/system', at('etc')],
      ['/var/lib/changelog-backup', at('backup')],
    ].reduce(
      (before, [shown = '', other = '']) => before.replaceAll(shown, other),
      text.replaceAll(/(?<=[ :])\/(?:tmp|root)\//g, `${at('tmp')}/`),
    );
  const PATH = `${at('bin')}:${process.env.PATH}`;
  return {
    folder,
    sandbox,
    at,
    paste: (text: string) => paste(used(text), { folder, environment: { PATH } }),
  };
}

describe('docs/production/upgrades.md', () => {
  it('a rehearsal leaves what is served alone, and shows that the content stays the same', async () => {
    const machine = await makeMachine();
    const [rehearse = ''] = blocksOf('## Rehearse');
    const before = await dump(machine.sandbox);
    const printed = await machine.paste(rehearse);
    assert.match(printed, /^The schema is up to date\.$/m);
    assert.match(printed, /^The content is the same\.$/m);
    assert.deepEqual(await dump(machine.sandbox), before);
  });

  it('one machine is upgraded, and goes back to the database from before, also with what was written since', async () => {
    const machine = await makeMachine();
    const printed = await machine.paste(UPGRADE);
    assert.match(printed, /^The schema is up to date\.$/m);
    assert.match(printed, /^ok {5}schema/m);
    assert.equal(
      readFileSync(machine.at('systemctl.log'), 'utf8'),
      'stop changelog\ndaemon-reload\nstart changelog\n',
    );

    // A newer version that writes.
    await runOk(machine.sandbox, ['team', 'set', 'acme', '--name', 'Written since']);
    const [before = '', afterwards = ''] = KEEP.split(/(?<=\n)/);
    await machine.paste(before);
    await execute(
      machine.sandbox,
      `insert into schema_migrations (name, timestamp) values ('9000_later', '')`,
    );
    for (const args of [['serve', '--port', '0'], ['team', 'list'], ['migrate'], ['publish-due']]) {
      const { code, stderr } = await run(machine.sandbox, args);
      assert.equal(code, 1, args.join(' '));
      assert.match(stderr, NEWER);
    }
    await machine.paste(BACK);
    assert.match(await runOk(machine.sandbox, ['team', 'list']), /^acme +Acme /m);
    await machine.paste(afterwards);
    assert.match(await runOk(machine.sandbox, ['team', 'list']), /Written since/);
  });

  it('a server that runs keeps serving on a newer schema, and shows what is written', async (t) => {
    const { folder, sandbox, at } = await makeMachine();
    const environment = { DATABASE_URL: `sqlite:${at('changelog.db')}` };
    const node = await startNode(t, { folder, environment });
    const read = async () =>
      await (
        await fetch(`${node.address}/api/v1/public/teams/acme/products/rocket/changelog?prerelease=false`)
      ).text();
    assert.match(await read(), /"versions":\[\{/);
    for (const statement of [
      `insert into schema_migrations (name, timestamp) values ('9000_later', '')`,
      'alter table versions add column later text',
      `update versions set title = 'Launched since' where changelog_id in (select changelog_id from public_changelogs)`,
    ])
      await execute(sandbox, statement);
    assert.match(await read(), /Launched since/);
    await node.stop();
    assert.match((await run(sandbox, ['serve', '--port', '0'])).stderr, NEWER);
  });

  it('with AUTO_MIGRATE=false, a new program refuses the older schema and says what to do', async (t) => {
    const { sandbox } = await makeMachine();
    addLaterStep(t);
    const { code, stderr } = await run({ ...sandbox, environment: { AUTO_MIGRATE: 'false' } }, [
      'serve',
      '--port',
      '0',
    ]);
    assert.equal(code, 1);
    assert.match(stderr, /the database has an older schema: run `changelog migrate`\./);
  });

  it('on PostgreSQL, old nodes get a database with the old schema', async () => {
    await ensureServers(['postgres']);
    const folder = temporaryFolder(scope);
    const server = await startPostgres(scope);
    await server.psql('postgres', `create role changelog_owner login password 'owner'`);
    for (const role of ['changelog_server', 'changelog_ci'])
      await server.psql('postgres', `create role ${role} login password '${role}'`);
    await server.createDatabase('changelog');
    await server.psql('postgres', 'alter database changelog owner to changelog_owner');
    const urlOf = (user: string, password: string, database: string) =>
      Object.assign(new URL(server.url(database)), { username: user, password }).href;
    const owner = (database: string) => ({
      folder,
      environment: { DATABASE_URL: urlOf('changelog_owner', 'owner', database) },
    });
    const document = { team: { slug: 'acme', name: 'Acme' } };
    await runOk(owner('changelog'), ['apply', '-'], JSON.stringify(document));
    const { password } = new URL(server.url());
    const environment = {
      PATH: `${path.dirname(postgresProgram('psql'))}:${process.env.PATH}`,
      PGHOST: '127.0.0.1',
      PGPORT: String(server.port),
      PGPASSFILE: path.join(folder, 'pgpass'),
      OWNER_PASSWORD: 'owner',
    };
    writeFileSync(environment.PGPASSFILE, `*:*:*:postgres:${decodeURIComponent(password)}\n`, {
      mode: 0o600,
    });
    const dump = /`(pg_dump [^`]*)`/.exec(section(PAGE, '## Several nodes on PostgreSQL'))?.[1] ?? '';
    const asOwner = 'PGPASSWORD=owner PGUSER=changelog_owner PGDATABASE=changelog';
    await paste(`${asOwner} ${dump}`, { folder, environment });

    await runOk(owner('changelog'), ['team', 'set', 'acme', '--name', 'Written since']);
    await server.psql(
      'changelog',
      `insert into schema_migrations (name, timestamp) values ('9000_later', '')`,
    );
    assert.match((await run(owner('changelog'), ['team', 'list'])).stderr, NEWER);
    const [back = ''] = blocksOf('## Several nodes on PostgreSQL');
    const printed = await paste(
      replaceShown(back, [['deploy/postgres', path.join(ROOT, 'deploy/postgres')]]),
      {
        folder,
        environment,
      },
    );
    assert.match(
      printed,
      /^The user changelog_server can serve.*\n(?:.*\n)*The user changelog_ci can write content/m,
    );
    assert.match(await runOk(owner('changelog_before'), ['team', 'list']), /^acme {2}Acme /m);
    const serving = {
      DATABASE_URL: urlOf('changelog_server', 'changelog_server', 'changelog_before'),
      PORT: '0',
    };
    assert.equal((await run({ folder, environment: serving }, ['doctor'])).code, 0);
  });
});
