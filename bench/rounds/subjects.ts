// A subject from what is asked: one answer is looked at first, so that what is measured is what it says.
import { type Answer, askOnce } from '../servers/answers.ts';
import type { Server } from '../servers/servers.ts';
import type { Subject } from './rounds.ts';
import { CONNECTIONS, type Target } from './wrk.ts';

export type Question = Omit<Subject, 'load' | 'pids' | 'tidy'> &
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
    /** Whether all answers are as long as the example. */
    isOneSize?: boolean;
  }>;

export async function subjectFor(question: Question): Promise<{ subject: Subject; answer: Answer }> {
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
  } = question;
  const answer = await askOnce(server.address + example, headers);
  if (answer.status !== status)
    throw new Error(`${rest.name}: ${example} is answered with ${answer.status} instead of ${status}`);
  if (body !== undefined && !answer.body.equals(body))
    throw new Error(`${rest.name}: ${example} has other bytes than it should`);
  const subject = {
    ...rest,
    load: {
      address: server.address,
      target,
      headers,
      connections,
      expected: { status, bytes: isOneSize ? answer.bytes : null },
    },
    pids: [server.pid, ...alsoPids],
    tidy: server.emptyLog,
  };
  return { subject, answer };
}
