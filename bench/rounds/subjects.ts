// Creates a subject from a request, and checks one response first, so that the right thing is measured.

import type { Measure } from '../report/results.ts';
import { type RecordedResponse, requestOnce } from '../servers/responses.ts';
import type { Server } from '../servers/servers.ts';
import type { Subject } from './rounds.ts';
import { CONNECTIONS, type Target } from './wrk.ts';

/** Subjects to measure, and measures that are not possible. */
export type Prepared = Readonly<{ subjects: Subject[]; absent: Measure[] }>;

export type RequestSpec = Omit<Subject, 'load' | 'pids' | 'tidy'> &
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

export async function subjectFor(
  spec: RequestSpec,
): Promise<{ subject: Subject; response: RecordedResponse }> {
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
  const response = await requestOnce(server.address + example, headers);
  if (response.status !== status)
    throw new Error(`${rest.name}: ${example} returned ${response.status} instead of ${status}`);
  if (body !== undefined && !response.body.equals(body))
    throw new Error(`${rest.name}: ${example} returned an unexpected body`);
  const subject = {
    ...rest,
    load: {
      address: server.address,
      target,
      headers,
      connections,
      expected: { status, bytes: isOneSize ? response.bytes : null },
    },
    pids: [server.pid, ...alsoPids],
    tidy: server.emptyLog,
  };
  return { subject, response };
}
