// The database user for servers, made by the script from the repository: everything that `serve` does, and nothing else.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { ROUTES } from '../../src/http/routes.ts';
import { execute, query } from '../../support/databases/engine.ts';
import { until } from '../../support/processes/poll.ts';
import { createKey, doctor, run, runOk } from '../../support/program/command.ts';
import { spawnServer } from '../../support/program/process.ts';
import { addLaterStep } from '../store/migrate/later-step.ts';
import { DOCUMENT, makeCiUser } from './ci-user.ts';

const { as, CI: SERVER, createContent, OWNER, runScript, sandbox } = makeCiUser();
const grant = (flags: string[] = []) => runScript(OWNER, { script: 'server-role.sql', flags });
/** As the documents recommend: the owner migrates. */
const server = (environment = {}) => as(SERVER, { AUTO_MIGRATE: 'false', ...environment });

/** A column in brackets: the privilege is for this one alone. */
const listRights = async () =>
  Object.fromEntries(
    (
      await query<{ name: string; rights: string | null }>(
        sandbox,
        `select relname as name, (select string_agg(right_, ' ' order by right_) from (
             select privilege_type as right_ from aclexplode(relacl) where grantee = role.oid
             union all select distinct privilege_type || '(' || attname || ')' from pg_attribute, aclexplode(attacl)
               where attrelid = pg_class.oid and grantee = role.oid) every) as rights
         from pg_class, pg_roles role where rolname = '${SERVER}'
           and relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
      )
    ).map(({ name, rights }) => [name, rights]),
  );

const READS = {
  api_key_products: 'SELECT',
  api_keys: 'SELECT',
  changelogs: 'SELECT',
  changes: 'SELECT',
  hook_deliveries: null,
  import_marks: null,
  key_usage: 'INSERT SELECT UPDATE',
  products: 'SELECT',
  public_changelogs: 'SELECT',
  revision: 'SELECT',
  schema_migrations: 'SELECT',
  search: 'SELECT',
  teams: 'SELECT',
  touches: 'SELECT',
  versions: 'SELECT',
};

describe('deploy/postgres/server-role.sql', () => {
  let key: string;
  before(async () => {
    await createContent();
    key = (await createKey(as(OWNER), 'acme', '--kind', 'FULL')).key;
    assert.equal(
      await grant(),
      `Created the user ${SERVER}. It can serve, but not write content or API keys. Its password is the one in CHANGELOG_SERVER_PASSWORD.\n`,
    );
  });

  it('grants what serve needs: each table is listed here, so that a new one is decided on', async () => {
    const rights = {
      ...READS,
      changelogs: 'SELECT UPDATE(description_mark)',
      hook_deliveries: 'DELETE INSERT SELECT UPDATE',
      products: 'SELECT UPDATE(accent)',
      revision: 'SELECT UPDATE(value)',
      search: 'DELETE INSERT SELECT',
      touches: 'INSERT SELECT UPDATE',
      versions: 'SELECT UPDATE(publish_at) UPDATE(published_at) UPDATE(status) UPDATE(updated_at)',
    };
    assert.deepEqual(await listRights(), rights);
    await grant(['-v', 'scheduler=off']);
    assert.deepEqual(await listRights(), READS);
    await grant();
    assert.deepEqual(await listRights(), rights);
  });

  it('serves every route, records the use of a key, publishes what is due and runs hooks, without AUTO_MIGRATE', async (t) => {
    const file = (name: string) => path.join(sandbox.folder, name);
    const hooks = ['announced', 'purged'].map((name) => ({
      name,
      ...(name === 'announced'
        ? { kind: 'command', command: ['/bin/sh', '-c', `cat > "${file(name)}"`] }
        : { kind: 'purge-url', url: 'http://127.0.0.1:9' }),
    }));
    writeFileSync(file('hooks.yaml'), JSON.stringify({ hooks }));
    const node = await spawnServer(
      t,
      server({ HOOKS: file('hooks.yaml'), LISTING: 'all', PUBLIC_RATE_LIMIT: '1000' }),
    );
    const places = {
      team: 'acme',
      product: 'rocket',
      versionId: '1.0.0',
      tag: '1.0.0',
      label: '1.0.0',
      id: '1',
    };
    const statuses: Record<string, number> = {};
    for (const { path: route, read } of ROUTES.filter((line) => line.read !== undefined)) {
      assert.ok(read);
      const target = route
        .replace(':labels', '1.0.0...1.0.0')
        .replaceAll(/:(\w+)/g, (_, name: keyof typeof places) => places[name]);
      const url = `${node.address}${target}${/changes|update|compare/.test(target) ? '' : '?q=one'}`;
      const headers = target.startsWith('/api/v1/teams/') ? { authorization: `Bearer ${key}` } : {};
      statuses[target] = (await fetch(url, { headers, redirect: 'manual' })).status;
    }
    const others = Object.entries(statuses).filter(([, status]) => status !== 200);
    // A release of Gitea is found by a number that is not 1, and its clients' links redirect.
    assert.deepEqual(others, [
      ['/api/v1/repos/acme/rocket/releases/1', 404],
      ['/acme/rocket', 302],
      ['/acme/rocket/releases', 302],
      ['/acme/rocket/releases/latest', 302],
      ['/acme/rocket/releases/tag/1.0.0', 302],
      ['/acme/rocket/compare/1.0.0...1.0.0', 302],
    ]);

    await until(
      'the use of the key is recorded',
      async () => (await query(sandbox, 'select * from key_usage')).length === 1,
    );
    await runOk(as(OWNER), ['product', 'set', 'acme/glider', '--status', 'published']);
    await runOk(as(OWNER), ['changelog', 'set', 'acme/glider', '--status', 'published']);
    await runOk(as(OWNER), ['version', 'publish', 'acme/glider', '0.1.0', '--at', '2026-01-01T00:00Z']);
    const glider = `${node.address}/api/v1/public/teams/acme/products/glider/changelog?q=draft`;
    await until('the version is published', async () =>
      (await (await fetch(glider)).text()).includes('0.1.0'),
    );
    await apply();
    await until(
      'the version is announced',
      async () =>
        (await query<{ state: string }>(sandbox, `select state from hook_deliveries where state = 'sent'`))
          .length > 0,
    );
    await node.stop();
    assert.doesNotMatch(node.output().stderr, /permission denied/);

    async function apply() {
      const [rocket] = DOCUMENT.products;
      const versions = [{ version: '2.0.0', title: 'Two', status: 'published', changes: [] }];
      const document = {
        ...DOCUMENT,
        products: [{ ...rocket, changelog: { status: 'published', versions } }],
      };
      await runOk(as(OWNER), ['apply', '-'], JSON.stringify(document));
    }
  });

  it('cannot write content or keys, in plain SQL or with commands', async () => {
    for (const statement of [
      `update versions set title = ''`,
      'delete from versions',
      `insert into changes (id, version_id, position, type, text) select 'x', id, 9, 'added', 'x' from versions`,
      `update teams set visibility = 'public'`,
      `update products set status = 'published'`,
      `update api_keys set status = 'active'`,
      'delete from api_keys',
      'delete from key_usage',
      'select * from import_marks',
      `update revision set cursor_key = ''`,
      'truncate touches',
      'create table x (y text)',
      'drop trigger versions_on_update on versions',
      'alter function touch_rows() reset all',
      'set session_replication_role = replica',
    ])
      await assert.rejects(
        execute(sandbox, `set session authorization "${SERVER}"; ${statement}`),
        /permission denied|must be owner/,
        statement,
      );
    for (const [args, reason] of [
      [
        ['apply', '-'],
        /lacks this privilege; use the owner of the tables, or run deploy\/postgres\/ci-role\.sql/,
      ],
      [
        ['key', 'create', 'acme', '--kind', 'FULL'],
        /cannot read or write API keys; use the owner of the tables/,
      ],
    ] as const) {
      const { code, stderr } = await run(
        server(),
        args,
        JSON.stringify({ team: { slug: 'acme', name: 'Other' } }),
      );
      assert.equal(code, 1);
      assert.match(stderr, reason);
    }
  });

  it('doctor says what the user is for', async () => {
    const { code, stdout } = await doctor(server());
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^note {3}permissions .*: this user can serve, but not use commands that write\.$/m);
  });

  it('serve and doctor name what cannot be read after an upgrade without the script', async () => {
    const needed = Object.keys(READS).filter((name) => READS[name as keyof typeof READS] === 'SELECT');
    const revoked = needed.filter((name) => name !== 'api_keys' && name !== 'schema_migrations');
    await execute(sandbox, `revoke all on ${revoked.join(', ')} from "${SERVER}"`);
    const message = new RegExp(
      `this user cannot read ${revoked.join(', ')}: as the owner of the tables, run deploy/postgres/server-role\\.sql`,
    );
    assert.match((await run(server(), ['serve', '--port', '0'])).stderr, message);
    const { code, stdout } = await doctor(server());
    assert.equal(code, 1);
    assert.match(stdout, new RegExp(`^wrong {2}permissions .*${message.source}`, 'm'));
    await grant();
  });

  it('does not let a server update the schema, and says who does', async (t) => {
    addLaterStep(t);
    const { code, stderr } = await run(as(SERVER), ['migrate']);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /the user in DATABASE_URL cannot update the schema: run `changelog migrate` as the owner/,
    );
  });

  it('needs no CREATEROLE if the user exists, and says what to do if it does not', async () => {
    await execute(sandbox, `alter role "${OWNER}" nocreaterole`);
    assert.match(
      await grant(),
      /^The user .* can serve, but not write content or API keys\. It existed before/,
    );
    assert.match(
      await runScript(OWNER, { script: 'server-role.sql', role: 'another server' }),
      /ERROR: {2}owner-\w+ cannot create users: as one who can, run `create role "another server" login`, set a password/,
    );
  });
});
