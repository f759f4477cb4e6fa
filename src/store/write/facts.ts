// `version_facts`: columns derived from each version and its changes, for search and sorting. Triggers maintain them,
// except for bulk writes, which refresh the rows that they wrote.
import { sql } from 'kysely';
import { batches } from '../engine/batches.ts';
import { dialectOf } from '../engine/dialect.ts';
import type { Writer } from '../engine/engine.ts';

/** How much of a version's text is indexed: label, title, description and changes, in this order. */
export const BODY_CHARACTERS_MAX = 100_000;
/** On PostgreSQL, words after this one are found, but not as neighbours: positions in its index end here. */
export const POSITION_MAX = 16_383;

const VERSIONS_A_STATEMENT = 100;

/** Refreshes every version of a changelog whose id has changed. */
export async function refreshChangelogFacts(trx: Writer, changelogId: string): Promise<void> {
  const versions = await trx
    .selectFrom('versions')
    .where('changelog_id', '=', changelogId)
    .select('id')
    .execute();
  await refreshFacts(
    trx,
    versions.map(({ id }) => id),
  );
}

export async function refreshFacts(trx: Writer, versionIds: readonly string[]): Promise<void> {
  const { refreshFacts: statements } = dialectOf(trx);
  for (const ids of batches(versionIds, VERSIONS_A_STATEMENT)) {
    for (const statement of statements) {
      const [first = '', second = ''] = statement.split('?');
      await sql`${sql.raw(first)}${JSON.stringify(ids)}${sql.raw(second)}`.execute(trx);
    }
  }
}
