// `hook test`: a message that nobody takes for a real one.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Config } from '../../config.ts';
import { type Hook, isPurgeHook } from '../../domain/hook.ts';
import { deliver } from '../../hooks/deliver.ts';
import { presentAnnouncement } from '../../hooks/messages/announcement.ts';
import { outgoingFor } from '../../hooks/outgoing-for.ts';
import { purgesFor } from '../../hooks/purge.ts';
import { headOf } from '../../present/content-rows.ts';
import type { VersionDetail } from '../../store/read/reads.ts';
import { renderAtOnce } from '../../text/parse.ts';
import type { Cli } from '../cli.ts';
import { placeOf } from './sending.ts';

const TAG_BYTES = 12;

/** Rejects with a `DeliveryError` if that fails. Nothing is read from the database, and nothing is noted there. */
export async function tryHook(hook: Hook, cli: Cli, config: Config): Promise<void> {
  // No response has this tag.
  if (isPurgeHook(hook))
    return await deliver(purgesFor(hook, [randomBytes(TAG_BYTES).toString('base64url')]));
  const now = cli.now();
  const announcement = await presentAnnouncement(madeUp(now), renderAtOnce, placeOf(cli, config));
  const message = { id: `msg_test_${randomUUID()}`, sentAt: new Date(now) };
  await deliver(outgoingFor(hook, announcement, message), { environment: cli.environment });
}

function madeUp(now: string): VersionDetail {
  return {
    head: {
      ...headOf('Test'),
      teamSlug: 'test',
      teamName: 'Test',
      productSlug: 'test',
      changelogId: 'cl_test',
    },
    version: {
      id: 'ver_test',
      label: '0.0.0-test',
      title: 'This is a test',
      status: 'published',
      publishedAt: now,
      changeCount: 1,
      description: 'This message was sent by `changelog hook test`. Nothing was published.',
      yanked: 0,
      updatedAt: now,
      compareUrl: null,
      image: null,
    },
    changes: [{ id: 'chg_test', type: 'added', text: 'A made-up change.', breaking: 0 }],
    end: null,
    writtenAt: 0,
  };
}
