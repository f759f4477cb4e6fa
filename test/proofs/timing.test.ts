// R9 by the clock, in short: that the proof sees a difference where there is one, and none where there must not be any.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { listClasses, plantedClass, type TimingClass } from '../../proofs/timing/classes.ts';
import {
  type Compare,
  compareEdits,
  DRAFT_EDIT,
  openHttp,
  openStore,
  PLANTED_EDIT,
} from '../../proofs/timing/proof.ts';
import { compare, T_MAX, welch, worstOf } from '../../proofs/timing/welch.ts';
import { seedTimingWorld } from '../../proofs/timing/world.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import type { Workplace } from '../../support/program/command.ts';

const SAMPLES = 60;
const SIZE = { names: 50, commonIn: 100 };
/** So few samples, on a machine that does other things, show only what is large; `npm run timing` takes more of them. */
const GENEROUS_T_MAX = 7;

describe("Welch's t", () => {
  it('is that of the textbook', () => {
    const [first, second] = [
      Float64Array.of(27.5, 21, 19, 23.6, 17, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19, 21.7, 21.4),
      Float64Array.of(27.1, 22, 20.8, 23.4, 23.4, 23.5, 25.8, 22, 24.8, 20.2, 21.9, 22.1, 22.9, 30.5, 31.3),
    ];
    assert.equal(welch(first, second).toFixed(2), '-2.95');
    assert.equal(welch(first, first), 0);
  });

  it('sees in the crops what a few long times hide', () => {
    const times = (offset: number, spikes: number) =>
      Float64Array.from({ length: 1_000 }, (_, n) => (n < spikes ? 1e6 * n : 100 + offset + (n % 10)));
    const { t } = compare(times(1, 5), times(0, 7));
    assert.ok(Math.abs(t[0] as number) < T_MAX);
    assert.ok((t[2] as number) > T_MAX);
  });
});

describe('what is hidden takes as long as what does not exist', () => {
  const scope = sharedScope();
  const workplace: Workplace = { folder: temporaryFolder(scope) };
  let classes: readonly TimingClass[];
  let ways: Readonly<Record<'http' | 'store', Compare>>;
  before(async () => {
    classes = listClasses(await seedTimingWorld(workplace, SIZE));
    ways = { http: await openHttp(scope, workplace), store: await openStore(scope, workplace) };
  });

  it('in every class, over HTTP and in the store', async () => {
    const worst: Record<string, number> = {};
    for (const subject of classes)
      for (const [way, compareBy] of Object.entries(ways))
        worst[`${subject.name} ${way}`] = worstOf(await compareBy(subject, SAMPLES));
    assert.deepEqual(
      Object.entries(worst).filter(([, t]) => t >= GENEROUS_T_MAX),
      [],
    );
  });

  it('after an edit of a draft, too', async () => {
    assert.ok(worstOf(await compareEdits(scope, workplace, DRAFT_EDIT, SAMPLES)) < GENEROUS_T_MAX);
  });

  it('which is not for want of looking: what is there is told from what is not, and an edit of what is public seen', async () => {
    for (const compareBy of Object.values(ways))
      assert.ok(worstOf(await compareBy(plantedClass(), SAMPLES)) > T_MAX);
    assert.ok(worstOf(await compareEdits(scope, workplace, PLANTED_EDIT, SAMPLES)) > T_MAX);
  });
});
