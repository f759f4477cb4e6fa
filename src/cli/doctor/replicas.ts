// Whether the replicas are copies of the primary and keep up with it.
import { setTimeout as delay } from 'node:timers/promises';
import { findIdentity } from '../../store/catalogue/health.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { findRevision } from '../../store/engine/revisions.ts';
import { type Finding, fail } from './finding.ts';

/** A commit must be readable everywhere within this time (R29). */
const LAG_MS_MAX = 1_000;
const POLL_MS = 100;

export type PrimaryState = Readonly<{ identity: string; revision: number }>;

export async function readPrimary(db: Reader): Promise<PrimaryState> {
  return { identity: await findIdentity(db), revision: await findRevision(db) };
}

export function notACopy(name: string): Finding {
  return fail('replica', `${name} is not a copy of the first database. Correct that URL in DATABASE_URL.`);
}

export async function checkReplica(db: Reader, name: string, primary: PrimaryState): Promise<Finding[]> {
  if ((await findIdentity(db)) !== primary.identity) return [notACopy(name)];
  const startedAt = performance.now();
  while ((await findRevision(db)) < primary.revision) {
    if (performance.now() - startedAt > LAG_MS_MAX)
      return [
        fail(
          'replica',
          `${name} is more than ${LAG_MS_MAX / 1_000} s behind the first database. Check its replication.`,
        ),
      ];
    await delay(POLL_MS);
  }
  return [];
}
