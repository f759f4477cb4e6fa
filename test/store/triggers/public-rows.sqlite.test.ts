// `public_changelogs` (R7, R9) on SQLite, whatever the settings of the connection.
import assert from 'node:assert/strict';
import { before, describe } from 'node:test';
import fc from 'fast-check';
import { sharedScope } from '../../../support/processes/scope.ts';
import { checkSearch, openSession } from '../sqlite/session.ts';
import { SEED, testPublicRows } from './public-cases.ts';
import type { Session } from './touch-cases.ts';

const WAYS_OUT = ['', 'or abort', 'or fail', 'or ignore', 'or replace', 'or replace', 'or rollback'];
/** A version is in the public full-text index if it is published and its changelog is public. */
const MISPLACED = `select version_id from version_facts f where (number in (select number from public_facts)) <>
  (status = 'published' and changelog_id in (select changelog_id from public_changelogs))
  union all select number from public_facts where number not in (select number from version_facts)`;

/** Only what the triggers of the timeline go by. */
const CHANGELOGS =
  'select changelog_id, team_id, product_slug, product_id, is_public from team_changelogs order by 1';
const CHANGELOGS_NOW = `select c.id, p.team_id, p.slug, p.id, c.id in (select changelog_id from public_changelogs)
  from changelogs c join products p on p.id = c.product_id order by 1`;

for (const foreignKeys of ['on', 'off']) {
  for (const recursiveTriggers of ['on', 'off']) {
    describe(`public_changelogs, with foreign keys ${foreignKeys}, recursive triggers ${recursiveTriggers}`, () => {
      const scope = sharedScope();
      let session: Session;
      before(async () => {
        session = await openSession(scope, SEED, [
          'synchronous = off',
          `foreign_keys = ${foreignKeys}`,
          `recursive_triggers = ${recursiveTriggers}`,
        ]);
      });
      testPublicRows(() => session, {
        wayOut: fc.constantFrom(...WAYS_OUT),
        runs: 30,
        check: async () => {
          assert.deepEqual(await session.rows(MISPLACED), []);
          assert.deepEqual(await session.rows(CHANGELOGS), await session.rows(CHANGELOGS_NOW));
          await checkSearch(session);
        },
      });
    });
  }
}
