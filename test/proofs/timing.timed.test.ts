// The short form of `npm run prove timing` (R9): the proof finds a difference where there is one, and none elsewhere.
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
import { type Comparison, compare, T_MAX, welch, worstOf } from '../../proofs/timing/welch.ts';
import { seedTimingWorld } from '../../proofs/timing/world.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import type { Sandbox } from '../../support/program/command.ts';

const SAMPLES = 250;
/** Pages take the queries of the API; one class shows that they do. */
const isInShortForm = ({ name }: TimingClass) => !name.startsWith('page-') || name === 'page-draft-product';
const SIZE = { names: 50, commonIn: 100 };
/** With more samples, a difference that is there becomes clearer, and one by chance goes away. */
const SAMPLES_MAX = 8_000;

describe("Welch's t", () => {
  it("Welch's t agrees with a textbook example", () => {
    const [first, second] = [
      Float64Array.of(27.5, 21, 19, 23.6, 17, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19, 21.7, 21.4),
      Float64Array.of(27.1, 22, 20.8, 23.4, 23.4, 23.5, 25.8, 22, 24.8, 20.2, 21.9, 22.1, 22.9, 30.5, 31.3),
    ];
    assert.equal(welch(first, second).toFixed(2), '-2.95');
    assert.equal(welch(first, first), 0);
  });

  it("Welch's t of the crops shows a difference that a few outliers hide", () => {
    const times = (offset: number, spikes: number) =>
      Float64Array.from({ length: 1_000 }, (_, n) => (n < spikes ? 1e6 * n : 100 + offset + (n % 10)));
    const { t } = compare(times(1, 5), times(0, 7));
    assert.ok(Math.abs(t[0] as number) < T_MAX);
    assert.ok((t[2] as number) > T_MAX);
  });
});

describe('hidden content takes as long as missing content', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  let classes: readonly TimingClass[];
  let ways: Readonly<Record<'http' | 'store', Compare>>;
  before(async () => {
    classes = listClasses(await seedTimingWorld(sandbox, SIZE)).filter(isInShortForm);
    ways = { http: await openHttp(scope, sandbox), store: await openStore(scope, sandbox) };
  });

  it('hidden content of every class takes as long as missing content, over HTTP and in the store', async () => {
    const different: string[] = [];
    for (const subject of classes)
      for (const [way, compareBy] of Object.entries(ways))
        if (await isConfirmed((samples) => compareBy(subject, samples)))
          different.push(`${subject.name} ${way}`);
    assert.deepEqual(different, []);
  });

  it('an edit of a draft does not change the time of the next request', async () => {
    assert.ok(!(await isConfirmed((samples) => compareEdits(scope, sandbox, DRAFT_EDIT, samples))));
  });

  it('the proof does distinguish existing from missing content, and an edit of public content', async () => {
    for (const compareBy of Object.values(ways))
      assert.ok(await isSeen((samples) => compareBy(plantedClass(), samples)));
    assert.ok(await isSeen((samples) => compareEdits(scope, sandbox, PLANTED_EDIT, samples)));
  });
});

type CompareSome = (samples: number) => Promise<Comparison>;

async function isSeen(compareSome: CompareSome): Promise<boolean> {
  for (let samples = SAMPLES; samples <= SAMPLES_MAX; samples *= 2)
    if (worstOf(await compareSome(samples)) > T_MAX) return true;
  return false;
}

/** A difference by chance is not in the next samples, which are four times as many; a real one is larger there. */
async function isConfirmed(compareSome: CompareSome): Promise<boolean> {
  for (let samples = SAMPLES; samples <= SAMPLES_MAX; samples *= 4)
    if (worstOf(await compareSome(samples)) <= T_MAX) return false;
  return true;
}
