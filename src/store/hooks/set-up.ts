// A hook is set up when a process first sees it: what is public then is not announced (R65).
import { sql } from 'kysely';
import { type AnnouncementHook, type Hook, isPurgeHook } from '../../domain/hook.ts';
import { laterThan } from '../../domain/timestamp.ts';
import { asReader, type Writer } from '../engine/engine.ts';
import { findRevisionAt } from '../engine/revisions.ts';
import { publicVersions } from './candidates.ts';

/** Of so many, all are noted as known: what is not and has an old date became public later. */
const KNOWN_VERSIONS_MAX = 10_000;

/** Sets up the hooks that are not yet. Several processes may do so at once. */
export async function setUpHooks(db: Writer, hooks: readonly Hook[]): Promise<void> {
  if (hooks.length === 0) return;
  const names = hooks.map(({ name }) => name);
  const known = await db.selectFrom('hooks').where('name', 'in', names).select('name').execute();
  for (const hook of hooks) {
    if (known.some(({ name }) => name === hook.name)) continue;
    if (db.isTransaction) await setUpHook(db, hook);
    else await db.transaction().execute((trx) => setUpHook(trx, hook));
  }
}

/** A new purge hook begins with everything: nobody knows what the CDN has kept so far. */
async function setUpHook(trx: Writer, hook: Hook): Promise<void> {
  const { revision, now } = await findRevisionAt(asReader(trx));
  const isPurge = isPurgeHook(hook);
  const announcesFrom = isPurge || (await areFewPublic(trx)) ? '' : cutoffOf(hook, now);
  const added = await trx
    .insertInto('hooks')
    .values({
      name: hook.name,
      set_up_at: now,
      announces_from: announcesFrom,
      revision: isPurge ? 0 : revision,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .execute();
  if (isPurge || added.length === 0) return;
  await trx
    .insertInto('hook_deliveries')
    .columns(['hook', 'version_id', 'state', 'message_id', 'due_at'])
    .expression(
      publicVersions(trx, { from: announcesFrom, teamIds: null }).select([
        sql.lit(hook.name).as('hook'),
        'l.version_id',
        sql.lit('known').as('state'),
        sql.lit('').as('message_id'),
        sql.lit(now).as('due_at'),
      ]),
    )
    .execute();
}

async function areFewPublic(trx: Writer): Promise<boolean> {
  const known = publicVersions(trx, { from: '', teamIds: null }).limit(KNOWN_VERSIONS_MAX + 1);
  return (await known.select('l.version_id').execute()).length <= KNOWN_VERSIONS_MAX;
}

/** The earliest date of versions that the hook announces now. */
export function cutoffOf({ maxAgeHours }: Pick<AnnouncementHook, 'maxAgeHours'>, now: string): string {
  return laterThan(now, -maxAgeHours * 3_600_000);
}
