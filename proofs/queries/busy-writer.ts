// Another process, which writes all the time by plain SQL: `busy-writer.ts URL CHANGELOG`. It publishes, unpublishes,
// adds and deletes versions of its own, and edits those that stay without changing what they are found by.
import { randomInt } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { CHANGE_TYPES } from '../../src/domain/model.ts';
import { openWriter } from '../../src/store/engine/open.ts';
import { LABELS, MOMENTS, STEADY_VERSIONS, WORDS } from './steady.ts';

const LOOSE_MAX = 60;

const [url = '', changelogId = ''] = process.argv.slice(2);
const db = await openWriter(url, { create: false });
const loose: string[] = [];
let writes: Record<string, number> = {};
let isBegun = false;
let added = 0;

const oneOf = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T;
const run = (statement: string) => sql.raw(statement).execute(db);

const WRITES: Record<string, () => Promise<unknown>> = {
  add: async () => {
    const number = ++added;
    // Their ids come before, between and after those of versions of the same moment that stay.
    const id = `ver_${oneOf(['a', 's', 'z'])}${number}`;
    const [status, moment] = oneOf([
      ['published', `'${oneOf(MOMENTS)}'`],
      ['published', `'${new Date().toISOString()}'`],
      ['published', `'2000-01-01T00:00:00.000Z'`],
      ['draft', `'${oneOf(MOMENTS)}'`],
      ['draft', 'null'],
    ]);
    await run(`insert into versions (id, changelog_id, label, title, status, published_at, yanked, created_order)
      values ('${id}', '${changelogId}', '${oneOf(LABELS)}.${number}', '${oneOf(WORDS)} ${oneOf(WORDS)}', '${status}',
        ${moment}, 0, ${1_000 + number})`);
    await run(`insert into changes (id, version_id, position, type, text, breaking)
      values ('chg_${number}', '${id}', 0, '${oneOf(CHANGE_TYPES)}', '${oneOf(WORDS)}', 0)`);
    loose.push(id);
  },
  delete: () => run(`delete from versions where id = '${loose.splice(randomInt(loose.length), 1)[0]}'`),
  publish: () =>
    run(`update versions set status = 'published', published_at = coalesce(published_at, '${oneOf(MOMENTS)}')
      where id = '${oneOf(loose)}'`),
  unpublish: () => run(`update versions set status = 'draft' where id = '${oneOf(loose)}'`),
  redate: () => run(`update versions set published_at = '${oneOf(MOMENTS)}' where id = '${oneOf(loose)}'`),
  edit: () =>
    run(`update versions set yanked = 1 - yanked, description = 'Edited ${++added}.'
      where id = '${oneOf(STEADY_VERSIONS).id}'`),
};

process.once('message', async () => {
  isStopped = true;
  await ended;
  process.send?.(writes);
  process.disconnect();
});
process.once('disconnect', () => process.exit());

let isStopped = false;
const ended = writeOnAndOn();

async function writeOnAndOn(): Promise<void> {
  while (!isStopped) {
    const isFew = loose.length < LOOSE_MAX / 2;
    const name = isFew ? 'add' : loose.length > LOOSE_MAX ? 'delete' : oneOf(Object.keys(WRITES));
    await WRITES[name]?.();
    writes[name] = (writes[name] ?? 0) + 1;
    if (!isBegun && Object.keys(WRITES).every((each) => each in writes)) {
      isBegun = true;
      writes = {};
      process.send?.('begun');
    }
    // SQLite responses within the same turn, and a message has to get through.
    await setImmediate();
  }
}
