// R50 on many nodes: each scheduled version is published once, not early, and at most two seconds late.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { EngineName } from '../../support/databases/engines.ts';
import { until } from '../../support/processes/poll.ts';
import { describeTimes } from '../figures.ts';
import type { Member, Outage } from './fleet.ts';

export const LATE_MS_MAX = 2_000;

/** A database in plain SQL, outside the program. */
export type Database = Readonly<{
  engine: EngineName;
  execute: (statement: string) => Promise<unknown>;
  query: <T>(statement: string) => Promise<T[]>;
  outages: readonly Outage[];
}>;

type Plan = Readonly<{
  /** Tells the versions of one plan from those of another. */
  series: number;
  versions: number;
  changesEach: number;
  /** How long after the plan was made the first and the last version are due. */
  fromMs: number;
  untilMs: number;
}>;

type Scheduled = Readonly<{ id: string; dueAt: number }>;
type Publication = Readonly<{ id: string; due: string; date: string; at: number }>;
type Times = { ms: number }[];

export type Outcome = Readonly<{
  versions: number;
  /** How late each was written, and shown by each node. */
  published: Times;
  shown: Times;
}>;

/** Every so many versions are due at the same time as the one before. */
const TOGETHER = 4;

/** Writes down every publication, in the transaction that makes it. */
const AUDIT: Record<EngineName, readonly string[]> = {
  sqlite: [
    `create table publications (id text, due text, date text, at integer)`,
    `create trigger publications_audit after update on versions when old.status = 'draft' and new.status = 'published'
      begin insert into publications values (new.id, old.publish_at, new.published_at,
        cast(strftime('%s', 'now') as integer) * 1000 + cast(substr(strftime('%f', 'now'), 4) as integer)); end`,
  ],
  postgres: [
    `create table publications (id text, due text, date text, at bigint)`,
    `create function audit_publication() returns trigger language plpgsql as $$ begin
      insert into publications values (new.id, old.publish_at, new.published_at,
        floor(extract(epoch from clock_timestamp()) * 1000)); return null; end $$`,
    `create trigger publications_audit after update on versions for each row
      when (old.status = 'draft' and new.status = 'published') execute function audit_publication()`,
  ],
};

export async function startAudit({ execute, engine }: Database): Promise<void> {
  for (const statement of AUDIT[engine]) await execute(statement);
}

/** All at one time if the first and the last are due together. */
export async function scheduleVersions({ execute }: Database, plan: Plan): Promise<Scheduled[]> {
  const { series, changesEach } = plan;
  const madeAt = Date.now();
  const stepMs = (plan.untilMs - plan.fromMs) / plan.versions;
  const scheduled = Array.from({ length: plan.versions }, (_, index) => ({
    id: `ver_due-${series}-${index}`,
    dueAt: Math.floor(madeAt + plan.fromMs + stepMs * (index - (index % TOGETHER))),
  }));
  const rows = scheduled.map(
    ({ id, dueAt }, index) =>
      `('${id}', 'cl_rocket', '${series}.${index}', 'Due', 'draft', '${new Date(dueAt).toISOString()}', 0, ${index})`,
  );
  await execute(`insert into versions (id, changelog_id, label, title, status, publish_at, yanked, created_order)
    values ${rows.join()}`);
  const changes = scheduled.flatMap(({ id }) =>
    Array.from(
      { length: changesEach },
      (_, position) =>
        `('chg_${id}-${position}', '${id}', ${position}, 'added', 'Word ${position} of ${id}, with others', 0)`,
    ),
  );
  if (changes.length > 0)
    await execute(
      `insert into changes (id, version_id, position, type, text, breaking) values ${changes.join()}`,
    );
  return scheduled;
}

/** Waits until all are due, and until every node that runs has had time to show them. */
export async function untilShown(scheduled: readonly Scheduled[], members: readonly Member[]): Promise<void> {
  await delay(Math.max(0, ...scheduled.map(({ dueAt }) => dueAt - Date.now())));
  const isShown = async () => {
    await Promise.all(members.map(({ look }) => look()));
    return members.every(({ seenAt }) => scheduled.every(({ id }) => seenAt.has(id)));
  };
  // How late each was is judged afterwards.
  await until('every version on every node', isShown, { withinMs: 5 * LATE_MS_MAX }).catch(() => {});
}

export async function assertPublished(
  database: Database,
  scheduled: readonly Scheduled[],
  members: readonly Member[],
  lateMsMax = LATE_MS_MAX,
): Promise<Outcome> {
  const publications = Map.groupBy(
    await database.query<Publication>('select id, due, date, at from publications'),
    ({ id }) => id,
  );
  const nobodyRuns = members.map(({ outages }) => outages).reduce(intersect);
  const published: Times = [];
  const shown: Times = [];
  for (const { id, dueAt } of scheduled) {
    const own = publications.get(id) ?? [];
    assert.equal(own.length, 1, `${id} was published ${own.length} times`);
    const { due, date, at } = own[0] as Publication;
    assert.deepEqual([due, date], [new Date(dueAt).toISOString(), due], id);
    assert.ok(at >= dueAt, `${id} was published ${dueAt - at} ms early`);
    const lateMs = latenessOf(at, dueAt, [...database.outages, ...nobodyRuns]);
    assert.ok(lateMs <= lateMsMax, `${id} was published ${lateMs} ms late`);
    published.push({ ms: lateMs });
    for (const [index, { seenAt, outages }] of members.entries()) {
      const seen = seenAt.get(id) ?? Number.POSITIVE_INFINITY;
      assert.ok(seen >= dueAt, `${id} was shown ${dueAt - seen} ms early`);
      const ms = latenessOf(seen, dueAt, [...database.outages, ...nobodyRuns, ...outages]);
      assert.ok(ms <= lateMsMax, `${id} was shown ${ms} ms late by node ${index + 1}`);
      shown.push({ ms });
    }
  }
  return { versions: scheduled.length, published, shown };
}

export function describeOutcome({ versions, published, shown }: Outcome, nodes: number): string {
  return [
    `${versions} versions on ${nodes} nodes: each published once, none early`,
    `published after ${describeTimes(published)}`,
    `shown by each node after ${describeTimes(shown)}`,
  ].join('\n');
}

/** Counted from the due time, or from the end of an outage that covers it or begins within two seconds, and before `at`. */
function latenessOf(at: number, dueAt: number, outages: readonly Outage[]): number {
  let from = dueAt;
  for (const outage of outages.toSorted((a, b) => a.from - b.from))
    if (outage.from < at && outage.from <= from + LATE_MS_MAX && outage.until > from) from = outage.until;
  return Math.max(0, at - from);
}

/** When there was an outage in both. */
function intersect(some: readonly Outage[], others: readonly Outage[]): Outage[] {
  return some
    .flatMap((a) =>
      others.map((b) => ({ from: Math.max(a.from, b.from), until: Math.min(a.until, b.until) })),
    )
    .filter(({ from, until }) => from < until);
}
