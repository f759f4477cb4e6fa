import type { Environment } from '../config.ts';
import type { DeliveryLimits, Outgoing } from './outgoing.ts';
import { runCommand } from './run-command.ts';
import { sendRequest } from './send-request.ts';

export type DeliveryOptions = Partial<DeliveryLimits> &
  Readonly<{
    /** That of this process. Programs get it without this service's settings. */
    environment?: Environment;
  }>;

const TIME_LIMIT_MS = 10_000;

/** Throws a `DeliveryError`. If there are several, all are sent at once, and the first error counts when all have ended. */
export async function deliver(
  outgoing: Outgoing | readonly Outgoing[],
  { timeLimitMs = TIME_LIMIT_MS, environment = {}, ...rest }: DeliveryOptions = {},
): Promise<void> {
  const limits = { timeLimitMs, ...rest };
  const ended = await Promise.allSettled(
    [outgoing].flat().map((each) => {
      return 'command' in each ? runCommand(each, environment, limits) : sendRequest(each, limits);
    }),
  );
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
