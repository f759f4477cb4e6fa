// `timeline` (R64) has every version of each team exactly once, the public ones apart (R9).
import assert from 'node:assert/strict';
import type { Session } from './touch-cases.ts';

const LISTED = `select team_id, is_public, is_prerelease, sort_key, version_id, changelog_id from timeline order by 5`;
const TO_LIST = `select p.team_id, case when v.status = 'published' and c.status = 'published'
      and p.status = 'published' and exists (select 1 from teams t where t.id = p.team_id and t.visibility = 'public')
      then 1 else 0 end as is_public, f.is_prerelease, v.sort_key, v.id as version_id, c.id as changelog_id
  from versions v join changelogs c on c.id = v.changelog_id join products p on p.id = c.product_id
    join version_facts f on f.version_id = v.id order by 5`;

export async function checkTimeline(session: Pick<Session, 'rows'>, statement: string): Promise<void> {
  assert.deepEqual(await session.rows(LISTED), await session.rows(TO_LIST), statement);
}
