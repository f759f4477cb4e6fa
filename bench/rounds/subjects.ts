// A subject from what is asked: one response is looked at first, so that what is measured is what it says.

import type { Measure } from '../report/results.ts';
import { type RecordedResponse, requestOnce } from '../servers/responses.ts';
import type { Server } from '../servers/servers.ts';
import type { Subject } from './rounds.ts';
import { CONNECTIONS, type Target } from './wrk.ts';

/** What can be measured, and what cannot be. */
export type Prepared = Readonly<{ subjects: Subject[]; absent: Measure[] }>;

export type RequestSpec = Omit<Subject, 'load' | 'pids' | 'tidy'> &
  Readonly<{
    server: Server;
    target: Target;
    /** One path of the target. */
    example: string;
    headers?: Record<string, string>;
    status: number;
    /** Other processes that take part, such as a database's. */
    alsoPids?: readonly number[];
    /** The body that must come; left out: any. */
    body?: Buffer;
    connections?: number;
    /** Whether all responses are as long as the example. */
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
    throw new Error(`${rest.name}: ${example} is answered with ${response.status} instead of ${status}`);
  if (body !== undefined && !response.body.equals(body))
    throw new Error(`${rest.name}: ${example} has other bytes than it should`);
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
