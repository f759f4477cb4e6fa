// The hooks of the hooks file (R65, R66): what each one is told, and how.
import type { ChangeType } from './model.ts';

export const MESSAGE_KINDS = ['webhook', 'slack', 'discord', 'teams', 'mastodon', 'websub'] as const;
export const PURGE_KINDS = ['purge-fastly', 'purge-cloudflare', 'purge-varnish', 'purge-url'] as const;
export const HOOK_KINDS = [...MESSAGE_KINDS, 'command', ...PURGE_KINDS] as const;

export type HookKind = (typeof HOOK_KINDS)[number];

/** The versions that a hook announces; what is absent does not matter. All that is present must match. */
export type OnlyFilter = Readonly<{
  teams?: readonly string[];
  /** `TEAM/PRODUCT`. */
  products?: readonly string[];
  /** Versions with a change of one of these types. */
  type?: readonly ChangeType[];
  /** Versions with a breaking change, or without any. */
  breaking?: boolean;
  prerelease?: boolean;
}>;

/** A version is announced if its date is not older than this when it becomes public. */
export const MAX_AGE_HOURS_DEFAULT = 72;

type Announcing = Readonly<{ name: string; only: OnlyFilter; maxAgeHours: number }>;

/** Sent to a URL. The secret signs it, or is the token of the receiver's API. */
export type MessageHook = Announcing &
  Readonly<{ kind: (typeof MESSAGE_KINDS)[number]; url: string; secret: string | null }>;

/** Runs a program, with the announcement as JSON on its standard input. */
export type CommandHook = Announcing &
  Readonly<{
    kind: 'command';
    command: readonly [program: string, ...parameters: string[]];
    /** Those that only other hooks of the file refer to. */
    hiddenVariables: readonly string[];
  }>;

export type AnnouncementHook = MessageHook | CommandHook;

/** Told what to forget, whenever something public changes. */
export type PurgeHook = Readonly<{
  name: string;
  kind: (typeof PURGE_KINDS)[number];
  url: string;
  secret: string | null;
}>;

export type Hook = AnnouncementHook | PurgeHook;

export const isPurgeKind = (kind: HookKind): kind is PurgeHook['kind'] =>
  PURGE_KINDS.some((each) => each === kind);

export const isPurgeHook = (hook: Hook): hook is PurgeHook => isPurgeKind(hook.kind);

/** The hubs that are told of every version of a product, or of all products of a team. */
export type HubsFor = (team: string, product: string | null) => readonly string[];

/** Feeds name no other hubs: who subscribes to one no longer looks for new versions. */
export function createHubsFor(hooks: readonly Hook[]): HubsFor {
  const hubs = hooks.flatMap((hook) =>
    hook.kind === 'websub' ? [{ only: hook.only, url: withoutCredentials(hook.url) }] : [],
  );
  return (team, product) =>
    hubs
      .filter(({ only: { teams, products, ...others } }) => {
        if (Object.values(others).some((value) => value !== undefined)) return false;
        const isListed =
          products === undefined || (product !== null && products.includes(`${team}/${product}`));
        return isListed && (teams === undefined || teams.includes(team));
      })
      .map(({ url }) => url);
}

/** The URL without a name and a password. */
export function withoutCredentials(text: string): string {
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url.href;
}
