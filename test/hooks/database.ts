// A database with hooks, for the functions that run them.
import type { AnnouncementHook, PurgeHook } from '../../src/domain/hook.ts';
import type { Run } from '../../src/hooks/deliver.ts';
import type { Writer } from '../../src/store/engine/engine.ts';
import { engineOf } from '../../src/store/engine/open.ts';
import { databaseUrl, openSession, provideMigrated } from '../../support/databases/engine.ts';
import { type Scope, temporaryFolder } from '../../support/processes/scope.ts';
import type { Sandbox } from '../../support/program/command.ts';

/** What must be in no log line. */
export const SECRET = 'c2VjcmV0LXNlY3JldC1zZWNyZXQ';

export const announcementHook = (name: string): AnnouncementHook => ({
  name,
  kind: 'webhook',
  url: `http://127.0.0.1:1/${SECRET}`,
  secret: `whsec_${SECRET}`,
  only: {},
  maxAgeHours: 72,
});

export const purgeHook = (name: string): PurgeHook => ({
  name,
  kind: 'purge-varnish',
  url: `http://127.0.0.1:1/${SECRET}`,
  secret: SECRET,
});

const SEED = [
  'delete from hook_deliveries',
  'delete from teams',
  `insert into teams (id, slug, name, visibility, plan) values (1, 'acme', 'Acme', 'public', 'paid')`,
  `insert into products (id, team_id, slug, name, status) values (1, 1, 'rocket', 'Rocket', 'published')`,
  `insert into changelogs (id, product_id, name, status) values ('cl_1', 1, 'Rocket', 'published')`,
];

export type HookDatabase = Readonly<{
  sandbox: Sandbox;
  /** On a connection like that of a server. */
  run: Run;
  /** A team, a product and a changelog, all public, and no hooks. */
  reset: () => Promise<void>;
  publish: (...labels: string[]) => Promise<void>;
  execute: (statement: string) => Promise<unknown>;
  query: <T>(statement: string) => Promise<T[]>;
}>;

export async function openHookDatabase(scope: Scope): Promise<HookDatabase> {
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  await provideMigrated(sandbox);
  const url = databaseUrl(sandbox);
  const db: Writer = (await engineOf(url)).openRecorder(url);
  scope.after(() => db.destroy());
  const { execute, query, close } = await openSession(sandbox);
  scope.after(close);
  return {
    sandbox,
    run: (write) => write(db),
    reset: async () => {
      for (const statement of SEED) await execute(statement);
    },
    publish: async (...labels) => {
      const now = new Date().toISOString();
      const rows = labels.map(
        (label) => `('ver_${label}', 'cl_1', '${label}', 'Title', 'published', '${now}', 0, 1)`,
      );
      await execute(
        `insert into versions (id, changelog_id, label, title, status, published_at, yanked, created_order)
          values ${rows.join()}`,
      );
    },
    execute,
    query: async <T>(statement: string) => (await query(statement)) as T[],
  };
}
