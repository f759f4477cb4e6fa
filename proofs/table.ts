// What is promised, and what proves it. Each proof is a script of package.json; its short form is a test.

export type Proof = Readonly<{
  name: string;
  promise: string;
  /** Of package.json. */
  script: string;
  /** Arguments of the script for a run of minutes or more. */
  full: readonly string[];
  /** The test file that `npm test` runs for it. */
  shortTest: string;
}>;

export const PROOFS: readonly Proof[] = [
  {
    name: 'fuzz',
    promise: 'No request gets a 5xx, a foreign body or what is hidden, or ends the process',
    script: 'fuzz',
    full: ['1000000'],
    shortTest: 'test/proofs/fuzz.sqlite.test.ts',
  },
  {
    name: 'timing',
    promise: 'What is hidden takes as long as what does not exist',
    script: 'timing',
    full: ['20000'],
    shortTest: 'test/proofs/timing.test.ts',
  },
  {
    name: 'attack',
    promise: 'One anonymous client within the limit does not hurt others',
    script: 'attack',
    full: [],
    shortTest: 'test/proofs/attack.test.ts',
  },
  {
    name: 'limit',
    promise: 'All nodes together admit exactly the limit',
    script: 'limit',
    full: ['10000'],
    shortTest: 'test/http/guards/counters-redis.once.test.ts',
  },
  {
    name: 'freshness',
    promise: 'Every node shows within a second what anybody has committed',
    script: 'freshness',
    full: ['200'],
    shortTest: 'test/proofs/freshness.postgres.test.ts',
  },
  {
    name: 'database-faults',
    promise: 'Cached public reads outlive a database that is down, and nothing has to be restarted',
    script: 'database-faults',
    full: ['50'],
    shortTest: 'test/proofs/database-faults.postgres.test.ts',
  },
  {
    name: 'redis-faults',
    promise: 'Nobody is refused, or waits, because Redis is down',
    script: 'redis-faults',
    full: ['10'],
    shortTest: 'test/http/guards/counters-redis.once.test.ts',
  },
  {
    name: 'kills',
    promise: 'A writing command that is killed has done all of it or nothing, and can be run again',
    script: 'kills',
    full: ['100'],
    shortTest: 'test/proofs/kills.test.ts',
  },
  {
    name: 'connections',
    promise: 'Slow and idle connections cost little, and nobody waits for them',
    script: 'connections',
    full: ['5000'],
    shortTest: 'test/proofs/connections.sqlite.test.ts',
  },
  {
    name: 'queries',
    promise: 'Every combination of parameters finds what it should, on both engines',
    script: 'queries',
    full: ['10000'],
    shortTest: 'test/proofs/queries.test.ts',
  },
  {
    name: 'paging',
    promise: 'Pages miss and repeat nothing while others write',
    script: 'paging',
    full: ['1000'],
    shortTest: 'test/proofs/paging.test.ts',
  },
  {
    name: 'imports',
    promise: 'An import shows what the changelog says, and the same when it is run again',
    script: 'imports',
    full: ['10000'],
    shortTest: 'test/proofs/imports.sqlite.test.ts',
  },
  {
    name: 'rolling',
    promise: 'Nodes behind nginx can be restarted one after the other without a failed request',
    script: 'rolling',
    full: ['10'],
    shortTest: 'test/proofs/rolling.postgres.test.ts',
  },
  {
    name: 'reload',
    promise: 'Workers can be exchanged under load without a failed request',
    script: 'reload',
    full: ['10'],
    shortTest: 'test/serve/workers.once.test.ts',
  },
  {
    name: 'starts',
    promise: 'Any number of nodes may start at once on an empty database',
    script: 'starts',
    full: ['20'],
    shortTest: 'test/proofs/starts.postgres.test.ts',
  },
];
