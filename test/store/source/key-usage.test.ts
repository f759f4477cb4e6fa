import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { engineOf } from '../../../src/store/engine/open.ts';
import { recordKeyUse } from '../../../src/store/source/key-usage.ts';
import { databaseUrl, query } from '../../../support/databases/engine.ts';
import { type Scope, sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { apply, createKey, type Sandbox } from '../../../support/program/command.ts';

const EARLY = '2026-06-01T08:00:00.000Z';
const LATE = '2026-06-01T09:00:00.000Z';

describe('recorded uses of keys', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };

  before(() => apply(sandbox, { team: { slug: 'acme', name: 'Acme', plan: 'paid' } }));

  const newKeys = async (count: number) => {
    const ids: string[] = [];
    while (ids.length < count) ids.push((await createKey(sandbox, 'acme', '--kind', 'FULL')).id);
    return ids as [string, string, ...string[]];
  };
  const recorderIn = async (t: Scope) => {
    const recorder = (await engineOf(databaseUrl(sandbox))).openRecorder(databaseUrl(sandbox));
    t.after(() => recorder.destroy());
    return recorder;
  };
  const usesOf = async (ids: readonly string[]) => {
    const rows = await query<{ key_id: string; last_used_at: string }>(sandbox, 'select * from key_usage');
    const all = new Map(rows.map((row) => [row.key_id, row.last_used_at]));
    return ids.map((id) => all.get(id));
  };

  it('the uses of many keys are recorded at once, each with its own timestamp', async (t) => {
    const recorder = await recorderIn(t);
    const ids = await newKeys(3);
    await recordKeyUse(
      recorder,
      new Map([
        [ids[0], EARLY],
        [ids[1], LATE],
      ]),
    );
    assert.deepEqual(await usesOf(ids), [EARLY, LATE, undefined]);
  });

  it('the use of a key is written at most once a minute, whichever node records it', async (t) => {
    const recorder = await recorderIn(t);
    const [id] = await newKeys(1);
    const at = (seconds: number) => new Date(Date.parse(EARLY) + seconds * 1000).toISOString();
    const kept: (string | undefined)[] = [];
    for (const seconds of [0, 1, 59, 60, 119, 121]) {
      await recordKeyUse(recorder, new Map([[id, at(seconds)]]));
      kept.push(...(await usesOf([id])));
    }
    assert.deepEqual(kept, [0, 0, 0, 60, 60, 121].map(at));
  });

  it('the recorded use of a key never goes back in time', async (t) => {
    const recorder = await recorderIn(t);
    const [id, other] = await newKeys(2);
    for (const usedAt of [EARLY, LATE, EARLY])
      await recordKeyUse(
        recorder,
        new Map([
          [id, usedAt],
          [other, EARLY],
        ]),
      );
    assert.deepEqual(await usesOf([id, other]), [LATE, EARLY]);
  });

  it('deleted keys are skipped, and a thousand keys are recorded at once', async (t) => {
    const recorder = await recorderIn(t);
    const [id] = await newKeys(1);
    const gone = Array.from({ length: 999 }, (_, index) => [`key_gone_${index}`, EARLY] as const);
    await recordKeyUse(recorder, new Map([...gone, [id, LATE]]));
    assert.deepEqual(await usesOf([id, 'key_gone_0']), [LATE, undefined]);
  });

  it('several nodes can record the same keys at once', async (t) => {
    const recorders = await Promise.all([recorderIn(t), recorderIn(t), recorderIn(t)]);
    const ids = await newKeys(20);
    const uses = ids.map((id) => [id, LATE] as const);
    for (let round = 0; round < 20; round++) {
      await Promise.all(
        recorders.map((recorder, index) =>
          recordKeyUse(recorder, new Map(index % 2 ? uses : uses.toReversed())),
        ),
      );
    }
    assert.deepEqual(
      await usesOf(ids),
      ids.map(() => LATE),
    );
  });
});
