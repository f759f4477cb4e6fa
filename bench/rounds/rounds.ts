// Measures all subjects in each round, in a changing order, so that other load of the machine affects all of them.

import type { Goal, Measure } from '../report/results.ts';
import { median } from '../report/statistics.ts';
import { cpuSeconds } from '../servers/cpu.ts';
import { ServerDisturbed } from '../servers/servers.ts';
import { type Load, type LoadReport, runWrk } from './wrk.ts';

export type Subject = Readonly<{
  id: string;
  group: string;
  name: string;
  load: Load;
  /** The processes whose processor time counts as the server's. */
  pids: readonly number[];
  /** Called after each measurement: fails if the responses have changed, and truncates the log. */
  finish: () => Promise<void>;
  /** How many times as long as others it is warmed up: one of several workers gets few requests, and so does a slow server. */
  warmUps?: number;
  /** The minimum length of a run, for effects that take a while. */
  millisecondsMin?: number;
  comparedWith?: string;
  isCost?: boolean;
  goal?: Goal;
  note?: string;
}>;

export type Pace = Readonly<{
  rounds: number;
  milliseconds: number;
  /** Before each run, not measured: a server that was idle has to fill the caches of the processor again. */
  leadMilliseconds: number;
  /** Per server, before the first round. */
  warmUpMilliseconds: number;
}>;

const TRIES_MAX = 3;

type Sample = LoadReport & { busy: number; cpuMicros: number };

export async function measureInRounds(
  subjects: readonly Subject[],
  { rounds, milliseconds, leadMilliseconds, warmUpMilliseconds }: Pace,
  onRound: (round: number) => void = () => {},
): Promise<Measure[]> {
  const samples = new Map<string, Sample[]>(subjects.map(({ id }) => [id, []]));
  onRound(0);
  if (warmUpMilliseconds > 0) await warmUp(subjects, warmUpMilliseconds);
  for (let round = 1; round <= rounds; round++) {
    onRound(round);
    for (const subject of orderOf(subjects, round)) {
      samples.get(subject.id)?.push(await measureUndisturbed(subject, milliseconds, leadMilliseconds));
    }
  }
  return subjects.map((subject) => describe(subject, samples.get(subject.id) ?? []));
}

/** Warms up the servers: their code is compiled and their caches are filled. */
async function warmUp(subjects: readonly Subject[], milliseconds: number): Promise<void> {
  const ofServer = Map.groupBy(subjects, ({ load }) => load.address);
  for (const asked of ofServer.values()) {
    for (const subject of asked)
      await measureUndisturbed(subject, (milliseconds * (subject.warmUps ?? 1)) / asked.length, 0);
  }
}

/** Starts at another subject each time, and reverses the order every other time. */
export function orderOf<T>(subjects: readonly T[], round: number): T[] {
  const start = (round * 7) % Math.max(1, subjects.length);
  const turned = [...subjects.slice(start), ...subjects.slice(0, start)];
  return round % 2 === 0 ? turned : turned.reverse();
}

/** If the machine stalls, a server loses its Redis or its database for a moment. Such a run counts for nothing. */
async function measureUndisturbed(
  subject: Subject,
  milliseconds: number,
  leadMilliseconds: number,
): Promise<Sample> {
  for (let tries = 1; ; tries++) {
    try {
      if (leadMilliseconds > 0) await runWrk(subject.load, leadMilliseconds);
      return await measure(subject, milliseconds);
    } catch (error) {
      if (!(error instanceof ServerDisturbed) || tries === TRIES_MAX) throw error;
    }
  }
}

async function measure(subject: Subject, milliseconds: number): Promise<Sample> {
  const { load, pids, finish, millisecondsMin = 0 } = subject;
  const used = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const usedBefore = used();
  const startedAt = performance.now();
  const report = await runWrk(load, Math.max(milliseconds, millisecondsMin));
  const spent = used() - usedBefore;
  const busy = (spent * 1_000) / (performance.now() - startedAt);
  await finish();
  return { ...report, busy, cpuMicros: (spent * 1_000_000) / report.requests };
}

function describe(subject: Subject, samples: readonly Sample[]): Measure {
  const { id, group, name, comparedWith, isCost, goal, note } = subject;
  const typical = (field: 'busy' | 'p50Ms' | 'p99Ms') =>
    rounded(median(samples.map((sample) => sample[field])));
  return {
    id,
    group,
    name,
    unit: 'requests/s',
    values: samples.map(({ perSecond }) => Math.round(perSecond)),
    ...(comparedWith !== undefined && { comparedWith }),
    ...(isCost !== undefined && { isCost }),
    ...(goal !== undefined && { goal }),
    ...(note !== undefined && { note }),
    cpuMicros: samples.map(({ cpuMicros }) => rounded(cpuMicros)),
    busy: typical('busy'),
    p50Ms: typical('p50Ms'),
    p99Ms: typical('p99Ms'),
  };
}

const rounded = (value: number) => Number(value.toPrecision(4));
