import { sql } from 'kysely';
import { dialectOf } from '../engine/dialect.ts';
import type { Writer } from '../engine/engine.ts';

/**
 * The hooks with something to do: to send a message that is due, or to look at public writes since the last time, unless
 * another process does. One query, because servers run it each second.
 */
export async function listHooksWithWork(db: Writer, hooks: readonly string[]): Promise<string[]> {
  const { now } = dialectOf(db).due;
  const { rows } = await sql<{ name: string }>`
    select name from hooks h where name in (${sql.join(hooks)}) and (
      exists (select 1 from hook_deliveries d
        where d.hook = h.name and d.state = 'pending' and d.due_at <= ${now} and ${IS_PUBLIC})
      or (claimed_until <= ${now} and ${IS_BEHIND}))`.execute(db);
  return rows.map(({ name }) => name);
}

/** Something public was written since the last time; or revisions count from an earlier one again, after a restore. */
export const IS_BEHIND = sql<boolean>`(h.revision < (select max(public_revision) from touches)
  or h.revision > (select value from revision where id = 1))`;

/** A version that is hidden again waits until it is public, however long that is. */
export const IS_PUBLIC = sql<boolean>`exists (
  select 1 from versions v join public_changelogs k on k.changelog_id = v.changelog_id
  where v.id = d.version_id and v.status = 'published')`;
