// `hook announce`: a version that is public, to the hooks whose filter matches.
import { type AnnouncementHook, type Hook, isPurgeHook } from '../../domain/hook.ts';
import { Refusal } from '../../errors.ts';
import { announceNow } from '../../hooks/announce-now.ts';
import { presentAnnouncement } from '../../hooks/messages/announcement.ts';
import { DeliveryError } from '../../hooks/outgoing.ts';
import { outgoingFor } from '../../hooks/outgoing-for.ts';
import { findPublicVersion } from '../../hooks/sending.ts';
import { listMatchingHooks } from '../../hooks/store/deliveries.ts';
import { requireVersionId } from '../../store/catalogue/catalogue.ts';
import { formatPath, notPublicError } from '../../store/catalogue/not-found.ts';
import type { Reader } from '../../store/engine/engine.ts';
import type { ProductPath, VersionDetail } from '../../store/read/reads.ts';
import { renderAtOnce } from '../../text/parse.ts';
import { type Cli, configOf } from '../cli.ts';
import { HOOKS_UNSET, requireHook } from './find.ts';
import { placeOf, withSending } from './sending.ts';

/** Those that announce, or the named one. */
export function announcingHooks(hooks: readonly Hook[], name: string | undefined): AnnouncementHook[] {
  const wanted = name === undefined ? hooks : [requireHook(hooks, name)];
  const announcing = wanted.filter((hook) => !isPurgeHook(hook));
  if (announcing.length > 0) return announcing;
  throw new Refusal(
    hooks.length === 0
      ? HOOKS_UNSET
      : `${name === undefined ? 'all hooks purge caches' : `the hook ${name} purges a cache`}, so there is nothing to announce.`,
  );
}

export type Announced = Readonly<{ found: VersionDetail; hooks: readonly AnnouncementHook[] }>;

/** Throws if the version is not public, or no filter matches it. */
export async function requireAnnounceable(
  db: Reader,
  hooks: readonly AnnouncementHook[],
  path: ProductPath,
  idOrLabel: string,
): Promise<Announced> {
  const id = await requireVersionId(db, path, idOrLabel);
  const found = await findPublicVersion(db, path, id);
  if (found === null) throw await notPublicError(db, path, id);
  const matching = await listMatchingHooks(db, hooks, found);
  if (matching.length > 0) return { found, hooks: hooks.filter(({ name }) => matching.includes(name)) };
  const names = hooks.map(({ name }) => name).join(', ');
  throw new Refusal(
    `no hook announces ${formatPath(path)} ${found.version.label}: it does not match \`only\` of ${names}.`,
  );
}

export type Attempt = Readonly<{ hook: string; messageId: string | null; failure: string | null }>;

/** To all of them at once. */
export async function announceAll(cli: Cli, { found, hooks }: Announced): Promise<Attempt[]> {
  const { head, version } = found;
  const of = {
    versionId: version.id,
    team: head.teamSlug,
    product: head.productSlug,
    version: version.label,
  };
  return await withSending(cli, (sending) =>
    Promise.all(
      hooks.map(async (hook): Promise<Attempt> => {
        try {
          const { messageId } = await announceNow(hook, of, sending);
          return { hook: hook.name, messageId, failure: null };
        } catch (error) {
          if (!(error instanceof DeliveryError)) throw error;
          return { hook: hook.name, messageId: null, failure: error.message };
        }
      }),
    ),
  );
}

export type Preview = Readonly<{ hook: string; kind: string; bodies: readonly unknown[] }>;

/** What would be sent, without URLs and headers, which may be secret. */
export async function previewAll(cli: Cli, { found, hooks }: Announced): Promise<Preview[]> {
  const announcement = await presentAnnouncement(found, renderAtOnce, placeOf(cli, configOf(cli)));
  const message = { id: '', sentAt: new Date(cli.now()) };
  return hooks.map((hook) => ({
    hook: hook.name,
    kind: hook.kind,
    bodies: outgoingFor(hook, announcement, message).map((outgoing) =>
      'command' in outgoing ? JSON.parse(outgoing.input) : readBody(outgoing.body),
    ),
  }));
}

/** JSON, or the form of a hub. */
function readBody(body: string): unknown {
  return body.startsWith('{') ? JSON.parse(body) : body;
}
