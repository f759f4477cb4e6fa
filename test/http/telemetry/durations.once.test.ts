import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AggregatorRegistry, Histogram, Registry } from 'prom-client';
import { createDurations } from '../../../src/http/telemetry/metrics.ts';

it('the duration histogram reads like one of prom-client, from one process and from workers', async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const observe = createDurations(ours);
  const [{ name, help } = assert.fail()] = await ours.getMetricsAsJSON();
  const histogram = new Histogram({
    name,
    help,
    labelNames: ['route', 'status', 'surface'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2],
    registers: [theirs],
  });
  for (const seconds of [0, 0.0005, 0.001, 0.00100001, 0.05, 0.1, 0.2, 3]) {
    for (const [route, surface, status] of [
      ['/a/:b', 'public', 200],
      ['/a/:b', 'public', 404],
      [null, 'public', 404],
      [null, 'none', 404],
    ] as const) {
      observe(route, surface, status, seconds);
      histogram.observe({ route: route ?? 'unknown', status, surface }, seconds);
    }
  }
  assert.equal(await ours.metrics(), await theirs.metrics());

  const together = async (registry: Registry) => {
    const report = JSON.parse(JSON.stringify(await registry.getMetricsAsJSON()));
    return await AggregatorRegistry.aggregate([report, report]).metrics();
  };
  assert.equal(await together(ours), await together(theirs));
});
