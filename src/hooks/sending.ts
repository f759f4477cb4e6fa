// What leaves, from what the public API shows at that moment: there is no other way out (R9).
import type { Environment } from '../config.ts';
import { visibleRows } from '../domain/access/visibility.ts';
import type { AnnouncementHook, PurgeHook } from '../domain/hook.ts';
import { asReader, type Reader } from '../store/engine/engine.ts';
import { findCursorKey } from '../store/engine/revisions.ts';
import type { Touch } from '../store/engine/touches.ts';
import { findMoreChanges, findVersion } from '../store/read/find-version.ts';
import type { ProductPath, VersionDetail } from '../store/read/reads.ts';
import type { Render } from '../text/render.ts';
import type { Run } from './announce.ts';
import { createTagger, purgedTextsOf } from './cache-tags.ts';
import { deliver } from './deliver.ts';
import { type AnnouncementPlace, presentAnnouncement } from './messages/announcement.ts';
import { outgoingFor } from './outgoing-for.ts';
import { purgesFor } from './purge.ts';
import type { Delivery } from './store/deliveries.ts';

type SendingOptions = Readonly<{
  run: Run;
  render: Render;
  place: () => AnnouncementPlace;
  /** For programs. */
  environment: Environment;
}>;

export type Sending = ReturnType<typeof createSending>;

export function createSending({ run, render, place, environment }: SendingOptions) {
  return {
    /** False if the version is not public any more. */
    send: async (hook: AnnouncementHook, delivery: Delivery, signal?: AbortSignal): Promise<boolean> => {
      const found = await findAnnounced(run, delivery);
      if (found === null) return false;
      const announcement = await presentAnnouncement(found, render, place());
      const message = { id: delivery.messageId, sentAt: new Date() };
      await deliver(outgoingFor(hook, announcement, message), { environment, ...(signal && { signal }) });
      return true;
    },
    purge: async (hook: PurgeHook, touches: readonly Touch[], signal?: AbortSignal): Promise<void> => {
      const tagger = createTagger(await run(async (db) => findCursorKey(asReader(db))));
      await deliver(purgesFor(hook, purgedTextsOf(touches).map(tagger)), signal && { signal });
    },
  };
}

/** Null if it is not public any more. */
export async function findAnnounced(run: Run, delivery: Delivery): Promise<VersionDetail | null> {
  return await run((db) => findPublicVersion(asReader(db), delivery, delivery.versionId));
}

/** With its first changes, about a thousand if there are so many. */
export async function findPublicVersion(
  db: Reader,
  { team, product }: ProductPath,
  versionId: string,
): Promise<VersionDetail | null> {
  const visible = visibleRows('public');
  const { found } = await findVersion(db, { team, product }, versionId, visible);
  if (found === undefined || found.end === null) return found ?? null;
  const { found: more } = await findMoreChanges(db, { team, product, versionId, after: found.end }, visible);
  // Without those that were written to in between.
  if (more?.writtenAt !== found.writtenAt) return found;
  return { ...found, changes: [...found.changes, ...more.changes] };
}
