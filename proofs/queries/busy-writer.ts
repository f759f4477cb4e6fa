// A process that writes continuously with plain SQL: `busy-writer.ts URL CHANGELOG`. It publishes, unpublishes, adds and
// deletes its own versions, and edits the others without changing what queries find them by.
import { randomInt } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { CHANGE_TYPES } from '../../src/domain/model.ts';
import { openWriter } from '../../support/databases/open.ts';
import { LABELS, STEADY_VERSIONS, TIMESTAMPS, WORDS } from './steady.ts';

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
    // Their ids sort before, between and after those of the permanent versions with the same date.
    const id = `ver_${oneOf(['a', 's', 'z'])}${number}`;
    const [status, timestamp] = oneOf([
      ['published', `'${oneOf(TIMESTAMPS)}'`],
      ['published', `'${new Date().toISOString()}'`],
      ['published', `'2000-01-01T00:00:00.000Z'`],
      ['draft', `'${oneOf(TIMESTAMPS)}'`],
      ['draft', 'null'],
    ]);
    await run(`insert into versions (id, changelog_id, label, title, status, published_at, yanked, created_order)
      values ('${id}', '${changelogId}', '${oneOf(LABELS)}.${number}', '${oneOf(WORDS)} ${oneOf(WORDS)}', '${status}',
        ${timestamp}, 0, ${1_000 + number})`);
    await run(`insert into changes (id, version_id, position, type, text, breaking)
      values ('chg_${number}', '${id}', 0, '${oneOf(CHANGE_TYPES)}', '${oneOf(WORDS)}', 0)`);
    loose.push(id);
  },
  delete: () => run(`delete from versions where id = '${loose.splice(randomInt(loose.length), 1)[0]}'`),
  publish: () =>
    run(`update versions set status = 'published', published_at = coalesce(published_at, '${oneOf(TIMESTAMPS)}')
      where id = '${oneOf(loose)}'`),
  unpublish: () => run(`update versions set status = 'draft' where id = '${oneOf(loose)}'`),
  redate: () => run(`update versions set published_at = '${oneOf(TIMESTAMPS)}' where id = '${oneOf(loose)}'`),
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
    // SQLite runs synchronously; yield, so that messages are received.
    await setImmediate();
  }
}
