// Creates a subject from a request, and checks one response first, so that the right thing is measured.

import type { Measure } from '../report/results.ts';
import { type RecordedResponse, requestOnce } from '../servers/responses.ts';
import type { Server } from '../servers/servers.ts';
import type { Subject } from './rounds.ts';
import { CONNECTIONS, type Target } from './wrk.ts';

/** Subjects to measure, and measures that are not possible. */
export type Prepared = Readonly<{ subjects: Subject[]; absent: Measure[] }>;

export type RequestSpec = Omit<Subject, 'load' | 'pids' | 'finish'> &
  Readonly<{
    server: Server;
    target: Target;
    /** One path of the target. */
    example: string;
    headers?: Record<string, string>;
    status: number;
    /** Other processes involved, such as the database's. */
    alsoPids?: readonly number[];
    /** The expected body; by default any. */
    body?: Buffer;
    connections?: number;
    /** Whether all responses have the size of the example. */
    isOneSize?: boolean;
  }>;

export async function subjectFor(spec: RequestSpec): Promise<Subject> {
  const {
    server,
    target,
    example,
    headers = {},
    status,
    alsoPids = [],
    body,
    isOneSize = true,
    connections = CONNECTIONS,
    ...rest
  } = spec;
  const ask = () => requestOnce(server.address + example, headers);
  const response = await ask();
  const check = ({ status: found, body: sent }: RecordedResponse, wanted: Buffer | undefined) => {
    if (found !== status) throw new Error(`${rest.name}: ${example} returned ${found} instead of ${status}`);
    if (wanted !== undefined && !sent.equals(wanted))
      throw new Error(`${rest.name}: ${example} returned an unexpected body`);
  };
  check(response, body);
  return {
    ...rest,
    load: {
      address: server.address,
      target,
      headers,
      connections,
      cores: server.cores === 'all' ? 'all' : 'load',
      expected: { status, bytes: isOneSize ? response.bytes : null },
    },
    pids: [server.pid, ...alsoPids],
    finish: async () => {
      check(await ask(), response.body);
      server.checkLog();
    },
  };
}

export async function subjectsFor(specs: readonly RequestSpec[]): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for (const spec of specs) subjects.push(await subjectFor(spec));
  return subjects;
}
