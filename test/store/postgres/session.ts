// Connections to a PostgreSQL database that do not go through the program, and that can reset it to its seed.
import assert from 'node:assert/strict';
import pg from 'pg';
import { databaseUrl, provideMigrated } from '../../../support/databases/engine.ts';
import { type Scope, temporaryFolder } from '../../../support/processes/scope.ts';
import type { Session } from '../triggers/touch-cases.ts';

/** Creates a database, and returns a function that connects to it. */
export async function provideSessions(scope: Scope, seed: string): Promise<() => Promise<Session>> {
  const sandbox = { folder: temporaryFolder(scope) };
  await provideMigrated(sandbox);
  const connect = async () => {
    const client = new pg.Client({ connectionString: databaseUrl(sandbox) });
    await client.connect();
    // The database may be dropped first.
    client.on('error', () => {});
    scope.after(() => client.end().catch(() => {}));
    return client;
  };
  const seeding = await connect();
  await seeding.query(seed);
  const restoring = await keepRows(seeding);
  return async () => {
    const client = await connect();
    const names = new Map<string, string>();
    return {
      reset: async () => void (await client.query(restoring)),
      run: (statements) => client.query(statements),
      rows: async (text) => {
        // A query with a name is planned only the first times.
        const name = names.get(text) ?? `rows ${names.size}`;
        names.set(text, name);
        return (await client.query<unknown[]>({ name, text, rowMode: 'array' })).rows;
      },
    };
  };
}

/** Copies all rows. Returns SQL that restores them without triggers, which take most of the time of a seed. */
async function keepRows(client: pg.Client): Promise<string> {
  const { rows: tables } = await client.query<{ name: string; columns: string }>(
    `select relname as name, string_agg(attname, ', ') as columns from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped and attgenerated = ''
      group by relname`,
  );
  const copying = tables.map(({ name }) => `create table seed.${name} as table ${name}`);
  await client.query(['create schema seed', ...copying].join('; '));
  const restoring = tables.map(
    ({ name, columns }) => `delete from ${name};
      insert into ${name} (${columns}) overriding system value select ${columns} from seed.${name}`,
  );
  return ['begin', 'set local session_replication_role = replica', ...restoring, 'commit'].join('; ');
}

const PUBLISHED = `from versions v join public_changelogs p on p.changelog_id = v.changelog_id`;
const wordsOf = (text: string) =>
  `to_tsvector('simple', coalesce(scoped_words(v.changelog_id, ${text}), ''))::text`;
const SEARCHED = `select v.id, v.id, ${wordsOf(`v.label || ' ' || v.title || ' ' || coalesce(v.description, '')`)}
    ${PUBLISHED} where v.status = 'published'
  union all select v.id, c.id, ${wordsOf('c.text')}
    ${PUBLISHED} join changes c on c.version_id = v.id where v.status = 'published' order by 1, 2`;

/** Checks that the full-text index has the published texts of public changelogs, and nothing else. */
export async function checkSearch({ rows }: Session): Promise<void> {
  const kept = await rows('select version_id, text_id, words::text from search order by 1, 2');
  assert.deepEqual(kept, await rows(SEARCHED));
}
