import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { computeFigures, isReached, type Measure } from '../../bench/report/results.ts';
import { median, ratios, summarise } from '../../bench/report/statistics.ts';
import { orderOf } from '../../bench/rounds/rounds.ts';

describe('the median', () => {
  it('the median is the value in the middle, whatever the order', () => {
    assert.equal(median([9, 1, 5]), 5);
  });

  it('the median of an even number of values is halfway between the two in the middle', () => {
    assert.equal(median([1, 10, 4, 2]), 3);
  });

  it('the summary of an empty list is null', () => {
    assert.equal(summarise([]), null);
  });
});

describe('ratios', () => {
  it('ratios are computed within each round, because a slow round is slow for both', () => {
    assert.deepEqual(ratios([50, 5, 60], [100, 10, 120]), [0.5, 0.5, 0.5]);
  });

  it('ratios leave out rounds that the baseline does not have', () => {
    assert.deepEqual(ratios([1, 2], [2]), [0.5]);
    assert.deepEqual(ratios([1, 2], []), []);
  });
});

describe('figures', () => {
  const measure = (id: string, values: number[], more: Partial<Measure> = {}): Measure => ({
    id,
    group: 'Hot',
    name: id,
    unit: 'requests/s',
    values,
    ...more,
  });

  it('figures have the range of their rounds and of their ratios', () => {
    const [, ours] = computeFigures([
      measure('bare', [100, 200, 100]),
      measure('ours', [80, 180, 70], { comparedWith: 'bare' }),
    ]);
    assert.deepEqual(ours?.summary, { median: 80, min: 70, max: 180 });
    assert.deepEqual(ours?.ratio, { median: 0.8, min: 0.7, max: 0.9 });
  });

  it('figures are compared by processor time if it was measured, and by throughput beside it', () => {
    const [, slower, cost] = computeFigures([
      measure('bare', [100, 100], { cpuMicros: [50, 40] }),
      measure('slower', [90, 90], { cpuMicros: [100, 80], comparedWith: 'bare' }),
      measure('cost', [90, 90], { cpuMicros: [100, 80], comparedWith: 'bare', isCost: true }),
    ]);
    assert.equal(slower?.ratio?.median, 0.5);
    assert.equal(slower?.throughputRatio?.median, 0.9);
    assert.equal(cost?.ratio?.median, 2);
  });

  it('figures reach a goal by their ratio, or by their value if they have no baseline', () => {
    const [bare, ours, start] = computeFigures([
      measure('bare', [100]),
      measure('ours', [80], { comparedWith: 'bare', goal: { atLeast: 0.85 } }),
      measure('start', [400], { unit: 'ms', goal: { atMost: 500 } }),
    ]) as [never, never, never];
    assert.deepEqual([bare, ours, start].map(isReached), [null, false, true]);
  });

  it('figures without a measurement neither reach nor miss a goal', () => {
    const [absent] = computeFigures([measure('gzip', [], { goal: { atLeast: 1 }, note: 'refused' })]);
    assert.equal(absent && isReached(absent), null);
  });
});

describe('the order of a round', () => {
  it('the order of each round has every subject once, and differs from the others', () => {
    const subjects = ['a', 'b', 'c', 'd', 'e'];
    const orders = [1, 2, 3, 4].map((round) => orderOf(subjects, round));
    for (const order of orders) assert.deepEqual(order.toSorted(), subjects);
    assert.equal(new Set(orders.map((order) => order.join())).size, orders.length);
  });
});
