// Follows docs/production/sqlite-to-postgresql.md, after the first steps of docs/production/postgresql.md.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { ensureServers, postgresProgram } from '../../cluster/debian.ts';
import { startNode } from '../../cluster/nodes.ts';
import { startPostgres } from '../../cluster/postgres.ts';
import { PUBLIC_FEED, seedWorld, TEAM_FEED } from '../../support/content/world.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';
import { codeBlocks, section } from '../support/markdown.ts';
import { commandsOf, paste, ROOT, readPage, replaceShown } from './page.ts';

const PAGE = readPage('sqlite-to-postgresql.md');

describe('docs/production/sqlite-to-postgresql.md', () => {
  it('its commands move a service to PostgreSQL and back', async (t) => {
    await ensureServers(['postgres']);
    const folder = temporaryFolder(t);
    const command = path.join(folder, 'command');
    const database = path.join(folder, 'changelog.db');
    const { full } = await seedWorld({ folder, environment: { DATABASE_URL: `sqlite:${database}` } });
    const settings = path.join(folder, 'changelog.env');
    writeFileSync(settings, `DATABASE_URL=sqlite:${database}\nBASE_URL=https://changelog.example\n`);
    const server = await startPostgres(t);
    const passwords = path.join(folder, 'pgpass');
    const password = decodeURIComponent(new URL(server.url()).password);
    writeFileSync(passwords, `*:*:*:postgres:${password}\n`, { mode: 0o600 });
    const environment = {
      PGPASSFILE: passwords,
      PATH: `${path.dirname(postgresProgram('psql'))}:${path.dirname(process.execPath)}:${process.env.PATH}`,
    };
    const prepared = replaceShown(commandsOf(readPage('postgresql.md')).slice(0, 4).join(''), [
      ['cd /srv/changelog', `cd '${ROOT}'`],
      ['PGHOST=db.example PGPORT=5432', `PGHOST=127.0.0.1 PGPORT=${server.port}`],
      ['PGSSLMODE=verify-full', 'PGSSLMODE=disable'],
    ]);
    const here: [string, string][] = [
      ['runuser -u changelog -- env -C /var/lib/changelog', `env -C '${folder}'`],
      ['/srv/changelog', ROOT],
      ['/var/lib/changelog', folder],
      ['/etc/changelog.env', settings],
    ];
    const moved = replaceShown(commandsOf(PAGE).join(''), [
      ...here,
      ['systemctl stop changelog\n', ''],
      ['systemctl start changelog\n', ''],
      ['systemctl disable --now changelog-backup.timer\n', ''],
      ['/usr/local/sbin/changelog', command],
      ['\nchangelog team list', `\n'${command}' team list`],
      ['curl -fs', '# curl -fs'],
    ]);
    const [, comeBack = ''] = codeBlocks(section(PAGE, '## The way back')).map(({ text }) => text);
    const returned = replaceShown(comeBack, here);
    const before = await responsesFrom(settings);
    // Another program may use the port that `doctor` checks.
    const session = `export PORT=0\n${prepared}${moved}declare -px; declare -f url`;
    const printed = await paste(session, { folder, environment });
    assert.match(
      printed,
      /^Copied .*changelog\.db to 127\.0\.0\.1:\d+\/changelog: 2 teams, .* and 4 API keys\.$/m,
    );
    assert.match(printed, /^Both have the same content and keys\.$/m);
    assert.match(printed, /^acme /m);
    assert.deepEqual(await responsesFrom(settings), before);

    // Again, and then back.
    const variables = printed.slice(printed.indexOf('declare -x'));
    const emptied = codeBlocks(section(PAGE, '## To copy again'))[0]?.text ?? '';
    const tables = prepared.slice(prepared.indexOf('url()'));
    const copying = moved.slice(moved.indexOf('old()'), moved.indexOf('slugs()'));
    const again = [variables, `cd '${ROOT}'`, emptied, tables, copying, `cd '${folder}'`, returned];
    const twice = await paste(again.join('\n'), { folder });
    assert.equal(twice.match(/^Copied .* and 4 API keys\.$/gm)?.length, 2, twice);
    assert.deepEqual(await responsesFrom(`${settings}.sqlite`), before);

    /** Of a node with the settings in this file. */
    async function responsesFrom(file: string): Promise<string[]> {
      const lines = [...readFileSync(file, 'utf8').matchAll(/^(\w+)="?(.*?)"?$/gm)];
      const values = Object.fromEntries(lines.map(([, name, value]) => [name, value]));
      const node = await startNode(t, { folder, environment: values });
      const found: string[] = [];
      for (const url of [PUBLIC_FEED, `${PUBLIC_FEED}/feed.atom`, '/changelog/acme/rocket', TEAM_FEED]) {
        const response = await fetch(node.address + url, { headers: { authorization: `Bearer ${full}` } });
        found.push(`${response.status} ${response.headers.get('etag')} ${await response.text()}`);
      }
      assert.ok(
        found.every((text) => text.startsWith('200 ')),
        found.join('\n'),
      );
      await node.stop();
      return found;
    }
  });
});
