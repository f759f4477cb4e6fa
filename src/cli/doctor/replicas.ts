// The databases that are only read: are they copies of the first, and do they keep up with it?
import { setTimeout as delay } from 'node:timers/promises';
import { findIdentity } from '../../store/catalogue/health.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { findRevision } from '../../store/source/revisions.ts';
import { type Finding, fail } from './finding.ts';

/** What is committed is to be read everywhere within this time (R29). */
const LAG_MS_MAX = 1_000;
const LOOK_AGAIN_MS = 100;

export type PrimaryState = Readonly<{ identity: string; revision: number }>;

export async function readPrimary(db: Reader): Promise<PrimaryState> {
  return { identity: await findIdentity(db), revision: await findRevision(db) };
}

export async function checkReplica(db: Reader, name: string, first: PrimaryState): Promise<Finding[]> {
  if ((await findIdentity(db)) !== first.identity)
    return [
      fail('replica', `${name} is no copy of the first database: correct that address in DATABASE_URL.`),
    ];
  const startedAt = performance.now();
  while ((await findRevision(db)) < first.revision) {
    if (performance.now() - startedAt > LAG_MS_MAX)
      return [
        fail(
          'replica',
          `${name} is more than ${LAG_MS_MAX / 1_000} s behind the first database: look at its replication.`,
        ),
      ];
    await delay(LOOK_AGAIN_MS);
  }
  return [];
}
