// The database user for CI, made by the script from the repository: what it may do, and what it may not.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { databaseUrl, execute, openSession, query } from '../../support/databases/engine.ts';
import { doctor, run, runOk } from '../../support/program/command.ts';
import { addLaterStep } from '../store/migrate/later-step.ts';
import { DOCUMENT, makeCiUser } from './ci-user.ts';

const { as, CI, createContent, OWNER, runScript, sandbox } = makeCiUser();

const CHANGELOG =
  '# Changelog\n\n## [1.1.0] - 2026-05-04\n\n### Added\n\n- A countdown.\n\n## [1.2.0]\n\n- B\n';

const listRights = () =>
  query<{ name: string; rights: string }>(
    sandbox,
    `select relname as name, string_agg(privilege_type, ' ' order by privilege_type) as rights
     from pg_class left join lateral aclexplode(relacl) granted on grantee = '"${CI}"'::regrole
     where relkind = 'r' and relnamespace = 'public'::regnamespace group by 1 order by 1`,
  );

describe('deploy/postgres/ci-role.sql', () => {
  let keyId: string;
  let printed: string;
  before(async () => {
    keyId = await createContent();
    // As with an extension: what others have in the same schema, and not everyone may use.
    await execute(
      sandbox,
      `create table of_others (secret text);
       create function of_others() returns text security definer language sql as 'select current_user';
       revoke execute on function of_others() from public`,
    );
    printed = await runScript(OWNER);
  });

  it('creates the user once, and changes nothing when it runs again', async () => {
    assert.equal(
      printed,
      `Created the user ${CI}. It can write content, but not API keys. Its password is the one in CHANGELOG_CI_PASSWORD.\n`,
    );
    const rights = await listRights();
    assert.equal(
      await runScript(OWNER, { password: 'another' }),
      `The user ${CI} can write content, but not API keys. It existed before and keeps its password.\n`,
    );
    assert.deepEqual(await listRights(), rights);
    await runOk(as(CI), ['team', 'list']);
  });

  it('grants what content needs: each table is listed here, so that a new one is decided on', async () => {
    const all = 'DELETE INSERT SELECT UPDATE';
    const none = null;
    assert.deepEqual(Object.fromEntries((await listRights()).map(({ name, rights }) => [name, rights])), {
      api_key_products: none,
      api_keys: none,
      changelogs: all,
      changes: all,
      hook_deliveries: none,
      import_marks: all,
      key_usage: none,
      of_others: none,
      products: all,
      public_changelogs: all,
      // Two of its columns.
      revision: none,
      schema_migrations: 'SELECT',
      search: 'DELETE INSERT SELECT',
      teams: 'INSERT SELECT UPDATE',
      touches: all,
      versions: all,
    });
    for (const statement of [
      'select hash from api_keys',
      'select cursor_key from revision',
      "update revision set cursor_key = ''",
      'truncate versions',
      'alter table versions add column x text',
      'create table x (y text)',
      'select of_others()',
      'alter function touch_rows() reset all',
      'drop trigger versions_on_update on versions',
      'set session_replication_role = replica',
    ])
      await assert.rejects(
        execute(sandbox, `set session authorization "${CI}"; ${statement}`),
        /permission denied|must be owner/,
        statement,
      );
  });

  it('grants nothing of others, also if a superuser runs it', async () => {
    await execute(sandbox, `alter role "${OWNER}" superuser`);
    assert.match(await runScript(OWNER), /^The user /);
    await execute(sandbox, `alter role "${OWNER}" nosuperuser`);
    assert.deepEqual(
      await query(sandbox, `select has_function_privilege('${CI}', 'of_others()', 'execute') as granted`),
      [{ granted: false }],
    );
  });

  it('does not run temporary objects of CI with the rights of the owner', async (t) => {
    const session = await openSession(sandbox);
    t.after(() => session.close());
    // A new id is passed on to other rows with the rights of their owner, and an index of these calls a function.
    await session.execute(
      `set session authorization "${CI}";
       create temporary table ran (who name);
       grant all on ran to public;
       create function pg_temp.spy(pg_catalog.text) returns bool language plpgsql as
         $$ begin execute 'insert into pg_temp.ran values (current_user)'; return true; end $$;
       create domain pg_temp.text as pg_catalog.text check (pg_temp.spy(value));
       begin;
       update versions set id = id || 'x';
       update changelogs set id = id || 'x'`,
    );
    assert.deepEqual(await session.query('select who from ran'), []);
  });

  it('knows every function of the program: a new one is added to the list in the script', async () => {
    const functions = await query<{ name: string }>(
      sandbox,
      `select proname as name from pg_proc where pronamespace = 'public'::regnamespace
       and pg_get_userbyid(proowner) = '${OWNER}' and proconfig[1] is distinct from 'search_path=public, pg_temp'`,
    );
    assert.deepEqual(functions, []);
  });

  const ALLOWED: [args: string[], input?: string][] = [
    [['import', 'acme/rocket', '-', '--dry-run'], CHANGELOG],
    [['import', 'acme/rocket', '-', '--section', 'Misc=changed'], CHANGELOG],
    [['import', 'acme/rocket', '-', '--force'], CHANGELOG.replace('countdown', 'clock')],
    [['import', 'acme/new', '-', '--create'], CHANGELOG],
    [['apply', '-', '--prune', '--yes'], JSON.stringify(DOCUMENT)],
    [['version', 'publish', 'acme/glider', '0.1.0', '--at', '2099-01-01T00:00Z']],
    [['publish-due']],
    [['version', 'unschedule', 'acme/glider', '0.1.0']],
    [['version', 'publish', 'acme/glider', '0.1.0']],
    [['version', 'unpublish', 'acme/glider', '0.1.0']],
    [['version', 'delete', 'acme/glider', '0.1.0', '--yes']],
    [['product', 'set', 'acme/glider', '--status', 'published']],
    [['changelog', 'set', 'acme/glider', '--status', 'published']],
    [['team', 'set', 'acme', '--name', 'Acme Inc.']],
    [['product', 'delete', 'acme/glider', '--yes']],
    [['export', 'acme']],
    [['migrate']],
  ];
  it('allows every command for content, with AUTO_MIGRATE and without, and its triggers do their work', async () => {
    for (const [index, [args, input]] of ALLOWED.entries()) {
      const { code, stderr } = await run(as(CI, { AUTO_MIGRATE: String(index % 2 === 0) }), args, input);
      assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    }
    assert.deepEqual(
      await query(
        sandbox,
        `select count(*)::int as texts from search join versions v on v.id = version_id where v.label = '1.0.0'`,
      ),
      [{ texts: 2 }],
    );
  });

  it('refuses keys and teams in one line that says which user can', async () => {
    for (const args of [
      ['key', 'list', 'acme'],
      ['key', 'create', 'acme', '--kind', 'FULL'],
      ['key', 'disable', keyId],
      ['key', 'delete', keyId, '--yes'],
      ['team', 'delete', 'acme', '--yes'],
    ]) {
      const { code, stdout, stderr } = await run(as(CI), args);
      assert.deepEqual([code, stdout], [1, ''], args.join(' '));
      assert.equal(
        stderr,
        'changelog: the database failed: permission denied for table api_keys; the user in DATABASE_URL cannot read or write API keys; use the owner of the tables for that.\n',
      );
    }
    assert.match(await runOk(as(OWNER), ['key', 'list', 'acme']), new RegExp(keyId));
  });

  it('does not let CI update the schema, and says who does', async (t) => {
    addLaterStep(t);
    const { code, stderr } = await run(as(CI), ['import', 'acme/rocket', '-'], CHANGELOG);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^changelog: [^\n]*; the user in DATABASE_URL cannot update the schema: run `changelog migrate` as the owner of the tables\.\n$/,
    );
  });

  it('doctor says what the user is for', async () => {
    const { code, stdout } = await doctor(as(CI));
    assert.equal(code, 0, stdout);
    assert.match(
      stdout,
      /^note {3}permissions .*: this user cannot read API keys\. It can use commands for content/m,
    );
  });

  it('is refused in a wrong database, by another user, and for a user with more rights', async () => {
    const cases = [
      [
        await runScript(OWNER, { database: 'postgres' }),
        /ERROR: {2}this database has no tables of this program: check -d/,
      ],
      [
        await runScript(CI, { role: 'x' }),
        new RegExp(`ERROR: {2}the tables belong to ${OWNER}; run this as that user`),
      ],
      [
        await runScript(OWNER, { role: OWNER }),
        /ERROR: {2}owner-\w+ has every right on the tables; choose another name/,
      ],
      [
        await runScript(OWNER, { role: 'postgres' }),
        /ERROR: {2}postgres has every right on the tables; choose another/,
      ],
    ] as const;
    for (const [output, expected] of cases) assert.match(output, expected);
  });

  it('finds tables in a schema other than public', async () => {
    const { pathname } = new URL(databaseUrl(sandbox));
    const database = decodeURIComponent(pathname.slice(1));
    await execute(
      sandbox,
      `alter schema public rename to "Own"; alter role "${OWNER}" in database "${database}" set search_path = "Own"`,
    );
    assert.match(await runScript(OWNER), /^The user /);
    await runOk(as(CI), ['import', 'acme/rocket', '-'], CHANGELOG);

    await execute(sandbox, `alter role "${OWNER}" nocreaterole`);
    assert.match(
      await runScript(OWNER),
      /WARNING: {2}the tables are in the schema "Own"; as a user who can create users, run `alter role "CI \w+" in database \S+ set search_path = "Own"`\n$/,
    );
  });
});
