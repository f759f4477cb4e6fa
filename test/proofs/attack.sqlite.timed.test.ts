// The short form of `npm run prove attack`, on the engine whose reads block the process.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attack, BOUNDS, FULL_SIZE, violationsOf } from '../../proofs/attack/attack.ts';
import { stretched } from '../../support/processes/busy.ts';

/** Most of the time goes into writing the one and rendering the other. The long form has all kinds. */
const KINDS = ['feeds and CHANGELOG.md', 'slow-to-render texts'];
const SIZE = { ...FULL_SIZE, versions: 700 };
/** The changelog has a seventh of the versions of the long form. */
const bounds = () => ({ ...BOUNDS, cpuSeconds: 5, othersMaxMs: stretched(BOUNDS.othersMaxMs) });

describe('one client that spends its rate limit at once', () => {
  it('one client that spends its rate limit at once gets responses and does not slow down others', async (t) => {
    const figures = await attack(t, SIZE, (kind) => KINDS.includes(kind));
    assert.equal(figures.length, KINDS.length);
    for (const { kind, statuses, cpuSeconds, peakMb, othersMaxMs } of figures)
      t.diagnostic(
        `${kind}: ${JSON.stringify(statuses)}, ${cpuSeconds.toFixed(1)} s of processor, ${peakMb.toFixed(0)} MB, others at most ${othersMaxMs.toFixed(0)} ms`,
      );
    // One slow response among thousands is the machine's; what blocks the process delays every client at that time.
    const waits = figures.map((figure) => ({ ...figure, othersMaxMs: figure.othersP99Ms }));
    assert.deepEqual(violationsOf(waits, bounds()), []);
    // More than a single request must succeed.
    for (const { kind, statuses } of figures) assert.ok((statuses[200] ?? statuses[400] ?? 0) > 2, kind);
  });
});
