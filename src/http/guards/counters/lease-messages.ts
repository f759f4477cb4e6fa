// What workers and their primary process tell each other about counts.
//
// The primary process keeps the counts. It may lend a worker a lease: a share of what a client has left, counted already,
// that the worker may use up without a request. When nothing else is left, it recalls the leases of other workers before
// the client is refused. Messages arrive in order; leases are named by a number that is never used again.

export type Asked = readonly [
  kind: string,
  max: number,
  windowSeconds: number,
  client: string,
  points: number,
];
/** Without a lease, its number is 0. */
export type Counted = readonly [count: number, msBeforeNext: number, lease: number, points: number];
export type Returned = readonly [kind: string, client: string, lease: number, unusedPoints: number];
export type Recalled = readonly [kind: string, client: string, lease: number];

export type WorkerMessage = Readonly<{
  /** Handled first. */
  returned: readonly Returned[];
  /** A worker that asks for a client has used up, or returned, its lease. */
  ask?: Readonly<{ id: number; additions: readonly Asked[]; takesLeases: boolean }>;
}>;

export type PrimaryMessage = Readonly<
  /** In the order of the additions. */
  { id: number; counts: readonly Counted[] } | { recalled: readonly Recalled[] }
>;
