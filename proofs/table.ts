// What we promise, and the proof of each promise. `npm run prove NAME` runs a proof; its short form is a test.

export type Proof = Readonly<{
  name: string;
  promise: string;
  /** The program is `proofs/FOLDER/run-NAME.ts`. */
  folder: string;
  arguments: string;
  /** The arguments of a full run. */
  full: readonly string[];
  /** About how long a full run takes on two cores. */
  duration: string;
  /** Named `.timed`, `npm run prove -- --short` runs it; in `test/proofs` or slow, `npm run test:all`; otherwise `npm test`. */
  shortTest: string;
}>;

export const PROOFS: readonly Proof[] = [
  {
    name: 'fuzz',
    promise: 'No request gets a 5xx or an unexpected body, leaks hidden content or stops the process',
    folder: 'fuzz',
    arguments: 'REQUESTS [SEED]',
    full: ['1000000'],
    duration: '7 min',
    shortTest: 'test/proofs/fuzz.sqlite.test.ts',
  },
  {
    name: 'timing',
    promise: 'Hidden content takes as long as missing content',
    folder: 'timing',
    arguments: 'SAMPLES [CLASS]',
    full: ['20000'],
    duration: '30 min',
    shortTest: 'test/proofs/timing.timed.test.ts',
  },
  {
    name: 'attack',
    promise: 'One anonymous client within the rate limit cannot degrade the service for others',
    folder: 'attack',
    arguments: 'VERSIONS LARGE',
    full: ['5000', '100000'],
    duration: '10 min',
    shortTest: 'test/proofs/attack.sqlite.timed.test.ts',
  },
  {
    name: 'limit',
    promise: 'P processes together admit the rate limit, and at most 1 + (P - 1) / 4 times it',
    folder: 'nodes',
    arguments: 'REQUESTS',
    full: ['10000'],
    duration: '10 s',
    shortTest: 'test/http/guards/counters-redis.servers.test.ts',
  },
  {
    name: 'freshness',
    promise: 'Every node shows a committed change within one second',
    folder: 'nodes',
    arguments: 'ROUNDS',
    full: ['200'],
    duration: '2 min',
    shortTest: 'test/proofs/freshness.postgres.timed.test.ts',
  },
  {
    name: 'cdn',
    promise:
      'Nothing that a purged cache serves is older than a second, and it serves more than 99 % of the requests of a day',
    folder: 'cdn',
    arguments: 'WRITES REQUESTS',
    full: ['1000', '200000'],
    duration: '25 min',
    shortTest: 'test/proofs/cdn.timed.test.ts',
  },
  {
    name: 'schedule',
    promise: 'Every scheduled version is published once, not early and at most two seconds late',
    folder: 'schedule',
    arguments: 'VERSIONS',
    full: ['1000'],
    duration: '3 min',
    shortTest: 'test/serve/scheduled.test.ts',
  },
  {
    name: 'database-faults',
    promise: 'Cached public reads continue while the database is down, and recovery needs no restart',
    folder: 'faults',
    arguments: 'ROUNDS',
    full: ['50'],
    duration: '5 min',
    shortTest: 'test/proofs/database-faults.postgres.timed.test.ts',
  },
  {
    name: 'redis-faults',
    promise: 'No request is rejected or held up because Redis is down',
    folder: 'faults',
    arguments: 'ROUNDS',
    full: ['10'],
    duration: '3 min',
    shortTest: 'test/http/guards/counters-redis.servers.test.ts',
  },
  {
    name: 'kills',
    promise: 'A write command that is killed has done everything or nothing, and can be run again',
    folder: 'faults',
    arguments: 'ROUNDS',
    full: ['100'],
    duration: '1 h',
    shortTest: 'test/proofs/kills.test.ts',
  },
  {
    name: 'hooks',
    promise:
      'Every version is announced once, also while nodes, workers and the receiver are killed; only a kill between sending and noting repeats a message, with the same id',
    folder: 'hooks',
    arguments: 'VERSIONS KILLS',
    full: ['500', '60'],
    duration: '15 min',
    shortTest: 'test/proofs/hooks.test.ts',
  },
  {
    name: 'connections',
    promise:
      'Slow and idle connections take little memory, and neither delay other clients nor lock them out, even if one address takes all of them',
    folder: 'attack',
    arguments: 'CONNECTIONS',
    full: ['5000'],
    duration: '3 min',
    shortTest: 'test/proofs/connections.sqlite.timed.test.ts',
  },
  {
    name: 'memory',
    promise: 'A server with its default settings takes at most 250 MB under a mixed load',
    folder: 'memory',
    arguments: 'MINUTES',
    full: ['9'],
    duration: '20 min',
    shortTest: 'test/proofs/memory.sqlite.timed.test.ts',
  },
  {
    name: 'html',
    promise: 'The HTML of a text is what a sanitiser would leave of it, byte for byte',
    folder: 'html',
    arguments: 'COUNT [SEED]',
    full: ['100000'],
    duration: '2 min',
    shortTest: 'test/proofs/html.once.test.ts',
  },
  {
    name: 'queries',
    promise: 'Every combination of parameters returns the right versions, on both engines',
    folder: 'queries',
    arguments: 'CASES [SEED]',
    full: ['10000'],
    duration: '10 min',
    shortTest: 'test/proofs/queries.test.ts',
  },
  {
    name: 'index',
    promise:
      'The first filtered read after a write takes at most 5 ms of processor time with 1,000 versions and 400 ms with 100,000, while others wait at most 250 ms; the timeline of 2,000 products takes at most 30 ms',
    folder: 'queries',
    arguments: 'VERSIONS PRODUCTS',
    full: ['100000', '2000'],
    duration: '5 min',
    shortTest: 'test/proofs/index.sqlite.timed.test.ts',
  },
  {
    name: 'paging',
    promise: 'Paging neither skips nor repeats versions during writes',
    folder: 'queries',
    arguments: 'WALKS',
    full: ['1000'],
    duration: '3 min',
    shortTest: 'test/proofs/paging.test.ts',
  },
  {
    name: 'imports',
    promise: 'An import reproduces the changelog, and running it again changes nothing',
    folder: 'imports',
    arguments: 'COUNT [SEED] [STYLE] | PATH…',
    full: ['10000'],
    duration: '30 min',
    shortTest: 'test/proofs/imports.sqlite.test.ts',
  },
  {
    name: 'corpus',
    promise:
      'Real-world changelogs lose no text on import, in a Markdown round trip or in notes without markup, and take less than 2 seconds',
    folder: 'imports',
    arguments: 'PATH…',
    full: ['proofs/imports/samples'],
    duration: '3 s',
    shortTest: 'test/proofs/corpus.sqlite.test.ts',
  },
  {
    name: 'import-bulk',
    promise: 'A changelog of up to 64 MiB is imported in bounded memory and linear time',
    folder: 'imports',
    arguments: 'MEGABYTES',
    full: ['25'],
    duration: '5 min',
    shortTest: 'test/import/markdown/linear.timed.test.ts',
  },
  {
    name: 'static',
    promise: 'A static site of 1,000 versions is built in 6 seconds of processor time and 250 MB',
    folder: 'static',
    arguments: 'VERSIONS',
    full: ['1000'],
    duration: '20 s',
    shortTest: 'test/proofs/static.timed.test.ts',
  },
  {
    name: 'bulk',
    promise: 'A document of up to 64 MiB is applied and exported in bounded memory',
    folder: 'imports',
    arguments: 'VERSIONS',
    full: ['100000'],
    duration: '3 min',
    shortTest: 'test/cli/commands/apply-memory.sqlite.timed.test.ts',
  },
  {
    name: 'rolling',
    promise: 'Nodes behind nginx can be restarted one by one without a failed request',
    folder: 'nodes',
    arguments: 'ROUNDS',
    full: ['10'],
    duration: '1 min',
    shortTest: 'test/proofs/rolling.postgres.test.ts',
  },
  {
    name: 'reload',
    promise: 'Workers can be replaced under load without a failed request',
    folder: 'nodes',
    arguments: 'ROUNDS',
    full: ['10'],
    duration: '1 min',
    shortTest: 'test/serve/workers.once.slow.test.ts',
  },
  {
    name: 'starts',
    promise: 'Any number of nodes can start concurrently on an empty database',
    folder: 'nodes',
    arguments: 'ROUNDS',
    full: ['20'],
    duration: '1 min',
    shortTest: 'test/proofs/starts.postgres.test.ts',
  },
  {
    name: 'clients',
    promise:
      'Clients generated from the OpenAPI document compile and read everything that the demo returns, and Renovate, AppStream, badge-maker and newsboat read the outputs as they are',
    folder: 'clients',
    arguments: '',
    full: [],
    duration: '2 min',
    shortTest: 'test/reference/openapi.test.ts',
  },
  {
    name: 'pages',
    promise: 'Pages are small, accessible and valid, and work without JavaScript',
    folder: 'pages',
    arguments: '',
    full: [],
    duration: '1 min',
    shortTest: 'test/proofs/pages.servers.test.ts',
  },
  {
    name: 'browsers',
    promise: 'Pages and the widget work the same in Chromium, Firefox and WebKit',
    folder: 'browsers',
    arguments: '[FOLDER FOR SCREENSHOTS]',
    full: [],
    duration: '2 min',
    shortTest: 'test/proofs/browsers.servers.test.ts',
  },
];

export function programOf({ folder, name }: Pick<Proof, 'folder' | 'name'>): string {
  return `proofs/${folder}/run-${name}.ts`;
}
